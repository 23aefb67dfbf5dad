//! The return type of a tool, for readers.

use toolpact_core::contract::Contract;
use toolpact_core::json::{Node, Value};
use toolpact_core::returns::{Level, ReturnType, Returns, StandardType};
use toolpact_core::schema::JsonSchema;
use toolpact_core::schema::view::Sources;

use super::rows::Shape;
use super::{Phrase, Prose};

/// The return type of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Promise {
    /// A summary, in one sentence.
    pub what: Phrase,
    /// The description.
    pub about: Prose,
    /// The MIME type of the content, where it is not JSON.
    pub content_type: Option<String>,
    /// Its type and its fields, if a structure is declared.
    pub shape: Option<Shape>,
    /// Examples of the contract.
    pub examples: Vec<Value>,
    /// A value of the standard type, where the contract has no example of its own.
    pub looks_like: Option<(StandardType, Value)>,
}

impl Promise {
    pub(super) fn of(contract: &Contract) -> Self {
        let returns = contract.returns();
        let object = contract.return_type();
        let about = object.and_then(ReturnType::description);
        let content_type = object.map(ReturnType::content_type);
        let content_type = content_type.filter(|name| *name != "application/json");
        let examples = examples(contract);
        Self {
            what: what(returns),
            about: Prose::of(about.unwrap_or_default()),
            content_type: content_type.map(ToOwned::to_owned),
            shape: shape(returns),
            looks_like: examples.is_empty().then(|| typical(returns)).flatten(),
            examples,
        }
    }
}

fn what(returns: &Returns) -> Phrase {
    match returns {
        Returns::Standard {
            standard,
            refinement,
        } => {
            let purpose = format!(": {}", lower_first(standard.purpose()));
            let what = Phrase::code(standard.name()).then(purpose);
            match refinement {
                Some(_) => what.then(", narrowed by this tool."),
                None => what.then("."),
            }
        }
        Returns::Custom(_) => Phrase::words("A value of the tool's own type."),
        Returns::Opaque => Phrase::words("Text without a promised structure."),
        Returns::Legacy { type_word, .. } => {
            let begin = Phrase::words("Nothing is promised");
            match type_word {
                Some(word) => begin
                    .then(": the definition says ")
                    .then_code(&**word)
                    .then(", and nobody holds it to that."),
                None => begin.then(": what the definition says is not enforced."),
            }
        }
        Returns::Undeclared => Phrase::words("Nothing is promised: any result is possible."),
    }
}

/// `True/false return` reads better after a colon as `true/false return`.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// The fields of the type and of its refinement, together.
fn shape(returns: &Returns) -> Option<Shape> {
    match returns {
        Returns::Standard {
            standard,
            refinement,
        } => {
            let schema = standard.schema().to_bundle();
            let refinement = refinement.as_ref().map(JsonSchema::to_bundle);
            // The refinement describes a field more exactly than the type, so it comes first.
            let both = refinement.iter().chain([&schema]);
            Some(Shape::of(&Sources::new(both)))
        }
        Returns::Custom(schema) => Some(Shape::of(&Sources::new([&schema.to_bundle()]))),
        Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared => None,
    }
}

/// The examples of the return type object, or of a schema alone.
fn examples(contract: &Contract) -> Vec<Value> {
    if let Some(object) = contract.return_type() {
        return object.examples().to_vec();
    }
    let schema = match contract.returns() {
        Returns::Standard { refinement, .. } => refinement.as_ref(),
        Returns::Custom(schema) => Some(schema),
        Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared => None,
    };
    let schema = schema.map(JsonSchema::to_value);
    let list = schema
        .as_ref()
        .and_then(|schema| schema.root().get("examples"));
    let list = list.into_iter().flat_map(Node::items);
    list.map(Node::to_value).collect()
}

/// The example of a type in the specification. A refinement of the type may exclude it.
fn typical(returns: &Returns) -> Option<(StandardType, Value)> {
    let Returns::Standard { standard, .. } = returns else {
        return None;
    };
    let enforcer = returns.enforcer(Level::Meaning);
    let mut examples = standard.examples().into_iter();
    let example = examples.find(|example| enforcer.check(example).is_ok())?;
    Some((*standard, example))
}
