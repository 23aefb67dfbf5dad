//! Chooses among several content types.

use super::source::At;

/// Content of a request or response, its type, and the types that were not chosen.
type Chosen<'a> = (String, At<'a>, Vec<String>);

/// The content of a response.
pub(super) fn choose<'a>(at: &At<'a>) -> Option<Chosen<'a>> {
    first_of(
        at,
        &[is_plain_json, is_json, |name| {
            essence(name).starts_with("text/")
        }],
    )
}

/// The content of a request: forms have structure, too.
pub(super) fn choose_body<'a>(at: &At<'a>) -> Option<Chosen<'a>> {
    let form = |name: &str| essence(name) == "application/x-www-form-urlencoded";
    let parts = |name: &str| essence(name) == "multipart/form-data";
    let text = |name: &str| essence(name).starts_with("text/");
    first_of(at, &[is_plain_json, is_json, form, parts, text])
}

fn first_of<'a>(at: &At<'a>, wanted: &[fn(&str) -> bool]) -> Option<Chosen<'a>> {
    let all: Vec<(String, At<'a>)> = at.get("content")?.members().collect();
    let best = |wanted: &fn(&str) -> bool| all.iter().position(|(name, _)| wanted(name));
    let chosen = wanted.iter().find_map(best).unwrap_or(0);
    let (name, media) = all.get(chosen)?.clone();
    let others = all.into_iter().enumerate().filter(|(i, _)| *i != chosen);
    let others = others.map(|(_, (name, _))| name).collect();
    Some((name, media, others))
}

fn is_plain_json(content_type: &str) -> bool {
    essence(content_type) == "application/json"
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
