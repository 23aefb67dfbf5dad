//! How arguments are written in queries and forms.

use toolpact::ToolError;
use toolpact::core::json::{Kind, Node};

use super::template::encode;

/// A way to write lists and objects, by its name in OpenAPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// A pair for each item of a list; no objects, whose keys would be names of other pairs.
    Plain,
    /// `form`, exploded: a pair for each item and for each member.
    Form,
    /// Items in one value, with this between them: `form`, `spaceDelimited` and `pipeDelimited`.
    Joined(&'static str),
    /// `deepObject`: `name[key]=value`.
    Deep,
    /// JSON.
    Json,
}

impl Style {
    pub(super) fn named(name: &str, explode: bool) -> Option<Self> {
        match (name, explode) {
            ("form" | "spaceDelimited" | "pipeDelimited", true) => Some(Style::Form),
            ("form", false) => Some(Style::Joined(",")),
            ("spaceDelimited", false) => Some(Style::Joined("%20")),
            ("pipeDelimited", false) => Some(Style::Joined("%7C")),
            ("deepObject", _) => Some(Style::Deep),
            _ => None,
        }
    }
}

/// The pairs of an argument, which mean nothing else in a query.
pub(super) fn pairs(
    name: &str,
    value: Node<'_>,
    style: Style,
) -> Result<Vec<(String, String)>, ToolError> {
    let key = encode(name);
    let mut out = Vec::new();
    match (style, value.kind()) {
        (Style::Plain, Kind::Array) => {
            for item in value.items() {
                out.push((key.clone(), encode(&scalar(name, item)?)));
            }
        }
        (Style::Plain, _) => out.push((key, encode(&scalar(name, value)?))),
        (_, Kind::Null) => {}
        (Style::Json, _) => out.push((key, encode(value.text()))),
        (Style::Deep, Kind::Array | Kind::Object) => deep(&key, value, &mut out),
        (Style::Joined(between), Kind::Array | Kind::Object) => {
            out.push((key, joined(name, value, between, encode)?));
        }
        (_, Kind::Array) => {
            for item in value.items() {
                match item.kind() {
                    // There is no other way to tell one object from the next.
                    Kind::Array | Kind::Object => {
                        deep(&key, value, &mut out);
                        return Ok(out);
                    }
                    _ => out.push((key.clone(), encode(&scalar(name, item)?))),
                }
            }
        }
        (_, Kind::Object) => {
            for (member, value) in value.members() {
                out.push((encode(&member), encode(&scalar(name, value)?)));
            }
        }
        _ => out.push((key, encode(&scalar(name, value)?))),
    }
    Ok(out)
}

/// The items of a list, or the names and values of an object, in one text. Other values are texts themselves.
pub(super) fn joined(
    name: &str,
    value: Node<'_>,
    between: &str,
    write: impl Fn(&str) -> String,
) -> Result<String, ToolError> {
    let mut texts = Vec::new();
    match value.kind() {
        Kind::Array => {
            for item in value.items() {
                texts.push(write(&scalar(name, item)?));
            }
        }
        Kind::Object => {
            for (member, value) in value.members() {
                texts.push(write(&member));
                texts.push(write(&scalar(name, value)?));
            }
        }
        _ => texts.push(write(&scalar(name, value)?)),
    }
    Ok(texts.join(between))
}

/// `name[key][0]=value`. The depth of arguments is bounded.
pub(super) fn deep(key: &str, value: Node<'_>, out: &mut Vec<(String, String)>) {
    match value.kind() {
        Kind::Object => {
            for (member, value) in value.members() {
                deep(&format!("{key}[{}]", encode(&member)), value, out);
            }
        }
        Kind::Array => {
            for (place, item) in value.items().enumerate() {
                deep(&format!("{key}[{place}]"), item, out);
            }
        }
        _ => out.push((key.to_owned(), encode(&text(value).unwrap_or_default()))),
    }
}

/// A string, a number or a boolean as text.
pub(super) fn text(value: Node<'_>) -> Option<String> {
    match value.kind() {
        Kind::String => value.as_str().map(String::from),
        Kind::Number | Kind::Bool => Some(value.text().to_owned()),
        _ => None,
    }
}

fn scalar(name: &str, value: Node<'_>) -> Result<String, ToolError> {
    text(value).ok_or_else(|| {
        ToolError::invalid(format!(
            "Expected `{name}` to be made of strings, numbers and booleans."
        ))
    })
}

/// Pairs as a query.
pub(super) fn query(pairs: &[(String, String)]) -> String {
    let pairs = pairs.iter().map(|(key, value)| format!("{key}={value}"));
    pairs.collect::<Vec<_>>().join("&")
}
