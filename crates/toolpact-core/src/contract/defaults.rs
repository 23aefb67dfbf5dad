//! Defaults that their own schemas refuse.

use std::borrow::Cow;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Number, Whole};
use crate::model::describe;
use crate::text::list;
use crate::violation::rules::contract as rules;

/// Warns of defaults of another type than their schema names, or that are not in its `enum`.
pub(super) fn check(schema: Node<'_>, report: &mut Report) {
    for schema in crate::schema::subschemas(schema) {
        let Some(default) = schema.get("default").filter(|d| d.kind() != Kind::Null) else {
            continue;
        };
        let types = types(schema);
        let expected = if !types.is_empty() && !types.iter().any(|word| is_of(default, word)) {
            format!(
                "a default of the type {}",
                list(types.iter().map(|word| &**word))
            )
        } else if is_no_choice(schema, default) {
            "a default that is one of the values of `enum`".to_owned()
        } else {
            continue;
        };
        report.add(&rules::DEFAULT, Place::Node(default.id()), |finding| {
            finding.say(format!("expected {expected}, found {}", describe(default)));
        });
    }
}

fn types(schema: Node<'_>) -> Vec<String> {
    let Some(types) = schema.get("type") else {
        return Vec::new();
    };
    let one = types.as_str().map(Cow::into_owned);
    let many = types.items().filter_map(Node::as_str);
    one.into_iter().chain(many.map(Cow::into_owned)).collect()
}

fn is_of(value: Node<'_>, word: &str) -> bool {
    let kind = match word {
        "string" => Kind::String,
        "number" | "integer" => Kind::Number,
        "boolean" => Kind::Bool,
        "array" => Kind::Array,
        "object" => Kind::Object,
        "null" => Kind::Null,
        _ => return true,
    };
    let is_whole = || value.as_number().map(Number::whole) != Some(Whole::Fraction);
    value.kind() == kind && (word != "integer" || is_whole())
}

fn is_no_choice(schema: Node<'_>, default: Node<'_>) -> bool {
    let Some(choices) = schema
        .get("enum")
        .filter(|choices| choices.kind() == Kind::Array)
    else {
        return false;
    };
    let wanted = default.to_value().to_canonical();
    let mut choices = choices
        .items()
        .map(|choice| choice.to_value().to_canonical());
    !choices.any(|choice| choice == wanted)
}
