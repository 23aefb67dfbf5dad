//! Predicates on schemas that decide how their references are exported.

use crate::json::Node;
use crate::schema::{Keyword, is_annotation, keywords, subschemas};

/// Whether there may be a reference. May return true for a schema without any.
pub(super) fn has_references(root: Node<'_>) -> bool {
    let text = root.text();
    text.contains("\"$ref\"") || text.contains("\"$dynamicRef\"") || text.contains("\\u")
}

/// Whether a reference has siblings.
pub(super) fn has_company(root: Node<'_>) -> bool {
    subschemas(root).into_iter().any(|schema| {
        schema.get("$ref").is_some() && schema.members().any(|(key, _)| !key.starts_with('$'))
    })
}

/// Whether a reference points to a part that the steps may move.
pub(super) fn leads_elsewhere(root: Node<'_>) -> bool {
    let stays = |r: &str| r == "#" || r.starts_with("#/$defs/") || r.starts_with("https://");
    subschemas(root).into_iter().any(|schema| {
        let reference = schema.get("$ref").and_then(Node::as_str);
        schema.get("$dynamicRef").is_some() || reference.is_some_and(|r| !stays(&r))
    })
}

/// Whether the steps merge the value of a keyword into the schema that contains it.
pub(super) fn is_merged(schema: Node<'_>, keyword: &str) -> bool {
    match Keyword::named(keyword) {
        Some(Keyword::AllOf) => true,
        Some(Keyword::AnyOf | Keyword::OneOf) => {
            let beside = |key: &str| key != keyword && !is_annotation(key) && !key.starts_with('$');
            schema.members().any(|(key, _)| beside(&key))
        }
        _ => false,
    }
}

/// Whether a schema may get narrower when the subschema under this keyword gets wider.
pub(super) fn is_contravariant(keyword: &str) -> bool {
    use Keyword::{Contains, If, Not, OneOf};
    matches!(Keyword::named(keyword), Some(Not | If | OneOf | Contains))
}

/// Whether a schema depends on what other subschemas evaluate.
pub(super) fn counts_evaluated(schema: Node<'_>) -> bool {
    keywords(schema).any(|(keyword, _)| keyword.is_unevaluated())
}
