//! What a schema has to do with references, at a glance.

use crate::json::Node;

/// Whether there may be a reference.
pub(super) fn has_references(root: Node<'_>) -> bool {
    let text = root.text();
    text.contains("\"$ref\"") || text.contains("\"$dynamicRef\"") || text.contains("\\u")
}

/// Whether something stands beside a reference that is not for references.
pub(super) fn has_company(root: Node<'_>) -> bool {
    crate::schema::subschemas(root).into_iter().any(|schema| {
        schema.get("$ref").is_some() && schema.members().any(|(key, _)| !key.starts_with('$'))
    })
}

/// Whether a reference leads to a part that the steps may move.
pub(super) fn leads_elsewhere(root: Node<'_>) -> bool {
    let stays = |r: &str| r == "#" || r.starts_with("#/$defs/") || r.starts_with("https://");
    crate::schema::subschemas(root).into_iter().any(|schema| {
        let reference = schema.get("$ref").and_then(Node::as_str);
        schema.get("$dynamicRef").is_some() || reference.is_some_and(|r| !stays(&r))
    })
}

/// Whether the steps make what is under a keyword one with the schema that has it.
pub(super) fn is_merged(schema: Node<'_>, keyword: &str) -> bool {
    match keyword {
        "allOf" => true,
        "anyOf" | "oneOf" => {
            let beside = |key: &str| key != keyword && !is_annotation(key) && !key.starts_with('$');
            schema.members().any(|(key, _)| beside(&key))
        }
        _ => false,
    }
}

/// Whether a schema may allow less because the one under this keyword allows more.
pub(super) fn is_turned(keyword: &str) -> bool {
    matches!(keyword, "not" | "if" | "oneOf" | "contains")
}

/// Whether what a schema allows depends on what others look at.
pub(super) fn counts_evaluated(schema: Node<'_>) -> bool {
    let keywords = ["unevaluatedProperties", "unevaluatedItems"];
    keywords.iter().any(|keyword| schema.get(keyword).is_some())
}

/// Whether a keyword is one that no value can break.
pub(in crate::dialect) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "$comment"
            | "$schema"
            | "default"
            | "deprecated"
            | "description"
            | "example"
            | "examples"
            | "readOnly"
            | "title"
            | "writeOnly"
    )
}
