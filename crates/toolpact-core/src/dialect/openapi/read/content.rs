//! Chooses among several content types.

use super::source::At;

/// The chosen content of a request or response, its type, and the types that were not chosen.
pub(super) fn choose<'a>(at: &At<'a>) -> Option<(String, At<'a>, Vec<String>)> {
    let all: Vec<(String, At<'a>)> = at.get("content")?.members().collect();
    let best = |wanted: fn(&str) -> bool| all.iter().position(|(name, _)| wanted(name));
    let chosen = best(|name| essence(name) == "application/json")
        .or_else(|| best(is_json))
        .or_else(|| best(|name| essence(name).starts_with("text/")))
        .unwrap_or(0);
    let (name, media) = all.get(chosen)?.clone();
    let others = all.into_iter().enumerate().filter(|(i, _)| *i != chosen);
    let others = others.map(|(_, (name, _))| name).collect();
    Some((name, media, others))
}

/// Whether it is JSON, or a wildcard that includes JSON.
pub(in crate::dialect::openapi) fn is_json(content_type: &str) -> bool {
    let essence = essence(content_type);
    matches!(
        essence.as_str(),
        "application/json" | "*/*" | "application/*"
    ) || essence.ends_with("+json")
}

pub(super) fn is_text(content_type: &str) -> bool {
    let essence = essence(content_type);
    essence.starts_with("text/") || essence == "application/xml" || essence.ends_with("+xml")
}

/// The content type without parameters.
fn essence(content_type: &str) -> String {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}
