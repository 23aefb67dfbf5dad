use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::schema::view::Sources;

use super::promise::Promise;
use super::rows::Shape;
use super::{Effect, Phrase, Prose, effects, errors, json, sample};

/// What there is to read about one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The name that calls use.
    pub name: String,
    /// A name that no other page has, whatever the case of letters: good for files
    /// and for links.
    pub slug: String,
    /// Where the contract is from. Set where another tool has the same name.
    pub origin: Option<String>,
    /// What the tool does.
    pub about: Prose,
    /// What it does to the world, as far as it is known.
    pub effects: Vec<Effect>,
    /// How long a call may take.
    pub timeout: Option<String>,
    /// What it takes.
    pub parameters: Shape,
    /// A call that the contract accepts, if one could be made.
    pub call: Option<Value>,
    /// What it returns.
    pub returns: Promise,
    /// The template of the text that a model reads.
    pub text: Option<String>,
    /// What is special about its errors.
    pub errors: Vec<Phrase>,
}

impl Page {
    pub(super) fn of(contract: &Contract, slug: String) -> Self {
        let parameters = contract.parameters().to_json_schema();
        let sources = Sources::new([&parameters]);
        let args = sample::arguments(contract, &sources);
        Self {
            name: contract.name().as_str().to_owned(),
            slug,
            origin: None,
            about: Prose::of(contract.description()),
            effects: Effect::all(contract.effects()),
            timeout: contract.timeout().map(effects::in_words),
            parameters: Shape::of(&sources),
            call: args.and_then(|args| call(contract.name().as_str(), &args)),
            returns: Promise::of(contract),
            text: contract.text().map(|text| text.as_str().to_owned()),
            errors: errors::notes(contract),
        }
    }
}

fn call(name: &str, args: &Value) -> Option<Value> {
    let name = json::string(name);
    json::value(&json::object([("name", &*name), ("args", args.text())]))
}
