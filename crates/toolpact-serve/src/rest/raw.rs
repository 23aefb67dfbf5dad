//! Results in their own content type, rather than as JSON.

use axum::response::{IntoResponse as _, Response};
use http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use serde_json::{Value as Json, json};
use toolpact::Completed;
use toolpact::core::contract::Contract;
use toolpact::core::json::{Node, Value};
use toolpact::core::returns::types::{FileResult, MediaResult, StandardResult as _};
use toolpact::core::returns::{ReturnType, Returns, StandardType};
use toolpact::core::schema::view::Sources;
use toolpact::core::schema::{JsonSchema, JsonType};

const JSON: &str = "application/json";

/// What the results of a tool are, if they are not JSON.
struct RawType {
    content_type: String,
    carrier: Carrier,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Carrier {
    /// A string, which is all of the result.
    Text,
    /// The content of a file, which has a name and a checksum besides.
    File,
    Media,
}

/// The result in its own content type, if the client prefers that to JSON. The default is the whole
/// result: a text as it is, and a file as JSON, with its name.
pub(super) fn response(completed: &Completed, headers: &HeaderMap) -> Option<Response> {
    let raw = RawType::of(completed.contract()?)?;
    let accept = headers.get_all(ACCEPT).iter();
    let accept: Vec<&str> = accept.filter_map(|value| value.to_str().ok()).collect();
    if !raw.is_preferred(&accept.join(",")) {
        return None;
    }
    let (bytes, content_type) = raw.content(&completed.to_value()?)?;
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_str(&content_type).ok()?);
    // A page must not be guessed from what a tool wrote.
    let no_guess = HeaderValue::from_static("nosniff");
    headers.insert(X_CONTENT_TYPE_OPTIONS, no_guess);
    Some(response)
}

/// Adds the content types of results to the OpenAPI document.
pub(super) fn document(paths: &mut Json, contracts: &[Contract]) {
    for contract in contracts {
        let Some(raw) = RawType::of(contract) else {
            continue;
        };
        let path = format!("/tools/{}", contract.name().as_str());
        let content = paths
            .get_mut(&path)
            .and_then(|item| item.pointer_mut("/post/responses/200/content"))
            .and_then(Json::as_object_mut);
        let Some(content) = content else {
            continue;
        };
        let schema = match raw.carrier {
            Carrier::Text => json!({"type": "string"}),
            Carrier::File | Carrier::Media => json!({}),
        };
        let text = content.remove("text/plain");
        content
            .entry(JSON)
            .or_insert_with(|| text.unwrap_or_else(|| json!({"schema": {"type": "string"}})));
        content.insert(raw.content_type, json!({"schema": schema}));
    }
}

impl RawType {
    fn of(contract: &Contract) -> Option<Self> {
        let declared = contract.return_type().map(ReturnType::content_type);
        let declared = declared.filter(|declared| !is_json(declared));
        let (carrier, default) = match contract.returns() {
            Returns::Standard { standard, .. } => match standard {
                StandardType::FileResult => (Carrier::File, None),
                StandardType::MediaResult => (Carrier::Media, None),
                StandardType::StringValue => (Carrier::Text, None),
                _ => return None,
            },
            Returns::Opaque => (Carrier::Text, Some("text/plain")),
            Returns::Custom(schema) if is_string(schema) => (Carrier::Text, None),
            _ => return None,
        };
        Some(Self {
            content_type: in_utf8(declared.or(default)?, carrier),
            carrier,
        })
    }

    /// Whether it is wanted rather than JSON. Of two that are equally welcome, a text is sent as it is.
    fn is_preferred(&self, accept: &str) -> bool {
        let (raw, json) = (quality(accept, &self.content_type), quality(accept, JSON));
        match self.carrier {
            Carrier::Text => raw >= json,
            Carrier::File | Carrier::Media => raw > json,
        }
    }

    /// The bytes of a result and their type, if it has any. A file knows its own type best.
    fn content(&self, result: &Value) -> Option<(Vec<u8>, String)> {
        let own =
            |found: Option<&str>| found.map_or_else(|| self.content_type.clone(), str::to_owned);
        match self.carrier {
            Carrier::Text => {
                let root = result.root();
                let text = root
                    .as_str()
                    .or_else(|| root.get("value").and_then(Node::as_str))?;
                Some((text.into_owned().into_bytes(), self.content_type.clone()))
            }
            Carrier::File => {
                let file = FileResult::from_value(result).ok()?.into_result().ok()?;
                Some((file.content()?.to_vec(), own(file.content_type())))
            }
            Carrier::Media => {
                let media = MediaResult::from_value(result).ok()?.into_result().ok()?;
                Some((media.content()?.to_vec(), self.content_type.clone()))
            }
        }
    }
}

fn is_string(schema: &JsonSchema) -> bool {
    let schema = schema.to_value();
    let root = Sources::new([&schema]).root();
    root.types() == Some(vec![JsonType::String])
}

fn is_json(content_type: &str) -> bool {
    let essence = essence(content_type);
    essence == JSON || essence.ends_with("+json")
}

fn essence(content_type: &str) -> String {
    let (essence, _) = content_type.split_once(';').unwrap_or((content_type, ""));
    essence.trim().to_ascii_lowercase()
}

/// Strings are UTF-8, and readers of text assume other things.
fn in_utf8(content_type: &str, carrier: Carrier) -> String {
    let is_silent = !content_type.to_ascii_lowercase().contains("charset=");
    match carrier == Carrier::Text && is_silent && essence(content_type).starts_with("text/") {
        true => format!("{content_type}; charset=utf-8"),
        false => content_type.to_owned(),
    }
}

/// How welcome a type is, in thousandths, by the most specific range of an `Accept` header. Without
/// one, everything is.
pub(super) fn quality(accept: &str, content_type: &str) -> u32 {
    if accept.trim().is_empty() {
        return 1000;
    }
    let essence = essence(content_type);
    let (main, _) = essence.split_once('/').unwrap_or((&essence, ""));
    let any_of_main = format!("{main}/*");
    let ranges = accept.split(',').map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        (name, weight.unwrap_or(1.0).clamp(0.0, 1.0))
    });
    let ranges: Vec<(String, f32)> = ranges.collect();
    let found = [&*essence, &any_of_main, "*/*"]
        .into_iter()
        .find_map(|wanted| ranges.iter().find(|(name, _)| name == wanted));
    found.map_or(0, |(_, weight)| thousandths(*weight))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a weight is between 0 and 1"
)]
fn thousandths(weight: f32) -> u32 {
    (weight * 1000.0).round() as u32
}

#[cfg(test)]
mod tests {
    use super::{Carrier, RawType};

    #[test]
    fn what_is_preferred() {
        let csv = |carrier| RawType {
            content_type: "text/csv; charset=utf-8".to_owned(),
            carrier,
        };
        for (accept, text, file) in [
            ("", true, false),
            ("*/*", true, false),
            ("text/csv", true, true),
            ("text/*, application/json;q=0.5", true, true),
            ("application/json", false, false),
            ("application/json, text/csv;q=0.9", false, false),
            ("application/json, */*;q=0.1", false, false),
            ("TEXT/CSV;q=1, */*;q=0.5", true, true),
            ("image/png", true, false),
        ] {
            assert_eq!(csv(Carrier::Text).is_preferred(accept), text, "{accept}");
            assert_eq!(csv(Carrier::File).is_preferred(accept), file, "{accept}");
        }
    }
}
