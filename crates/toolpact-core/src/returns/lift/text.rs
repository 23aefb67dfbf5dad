//! Whether a promise is about text.

use crate::json::{Kind, Value};
use crate::returns::{Returns, StandardType};
use crate::schema::view::{Sources, View};
use crate::schema::{JsonSchema, JsonType, keywords};

/// Choices within choices that are followed: references may be circular.
const DEPTH: usize = 16;

/// Whether a value is JSON by chance: a string is promised, and the text happens to be a number,
/// `true` or `null`.
pub(super) fn is_plain(value: &Value, returns: &Returns) -> bool {
    let is_scalar = matches!(value.kind(), Kind::Number | Kind::Bool | Kind::Null);
    is_scalar
        && match returns {
            Returns::Standard { standard, .. } => matches!(
                standard,
                StandardType::StringValue | StandardType::IdentifierValue
            ),
            Returns::Custom(schema) => {
                let bundle = schema.to_bundle();
                let types = Sources::new([&bundle]).root().types();
                types == Some(vec![JsonType::String])
            }
            Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared => false,
        }
}

/// Whether a schema allows text, and does not only leave it open: `{"properties": …}` without a
/// `type` is about objects.
pub(super) fn is_allowed(schema: &JsonSchema) -> bool {
    let bundle = schema.to_bundle();
    let sources = Sources::new([&bundle]);
    allows(&sources, &sources.root(), DEPTH)
}

fn allows<'v>(sources: &Sources<'v>, view: &View<'v>, depth: usize) -> bool {
    if let Some(types) = view.types() {
        return types.contains(&JsonType::String);
    }
    if depth == 0
        || view
            .parts()
            .iter()
            .any(|part| is_about_structure(part.node()))
    {
        return false;
    }
    view.choices().into_iter().all(|list| {
        let mut branches = list.items().into_iter();
        branches.any(|branch| allows(sources, &sources.view([branch]), depth - 1))
    })
}

fn is_about_structure(schema: crate::json::Node<'_>) -> bool {
    keywords(schema).any(|(keyword, _)| {
        let types = keyword.about().types().unwrap_or_default();
        types.contains(&JsonType::Object) || types.contains(&JsonType::Array)
    })
}
