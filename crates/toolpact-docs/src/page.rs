use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::sample::Sampler;
use toolpact_core::schema::view::Sources;

use super::promise::Promise;
use super::rows::Shape;
use super::{Effect, Phrase, Prose, effects, errors, json};

/// The documentation of one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The name that calls use.
    pub name: String,
    /// A name that is unique among the pages, ignoring case: for files and for links.
    pub slug: String,
    /// The origin of the contract. Set if another tool has the same name.
    pub origin: Option<String>,
    /// What the tool does.
    pub about: Prose,
    /// Its known side effects.
    pub effects: Vec<Effect>,
    /// The time limit of a call.
    pub timeout: Option<String>,
    /// The parameters.
    pub parameters: Shape,
    /// A call that the contract accepts, if one could be generated.
    pub call: Option<Value>,
    /// The return type.
    pub returns: Promise,
    /// The template of the text that a model reads.
    pub text: Option<String>,
    /// The errors that are specific to it.
    pub errors: Vec<Phrase>,
}

impl Page {
    pub(super) fn of(contract: &Contract, slug: String) -> Self {
        let parameters = contract.parameters().to_json_schema();
        let sources = Sources::new([&parameters]);
        let args = Sampler::of_arguments(contract).first();
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
