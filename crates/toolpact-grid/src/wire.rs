//! Messages: their kinds, and errors in headers.

use async_nats::HeaderMap;
use toolpact::ToolError;
use toolpact::core::json::Value;
use toolpact::core::returns::{ErrorKind, StandardError};

use crate::headers;

/// How far a runtime may be ahead of the credit it has.
pub(crate) const WINDOW: u64 = 16;
/// The same in bytes, for messages that are long: it may always be `CREDIT_EACH` messages ahead.
pub(crate) const WINDOW_BYTES: usize = 4 << 20;
/// Credit is sent for so many messages at once, …
pub(crate) const CREDIT_EACH: u64 = WINDOW / 4;
/// … or so many bytes.
pub(crate) const CREDIT_EACH_BYTES: usize = WINDOW_BYTES / 4;

/// To read or write a body of so many bytes takes a while, after which others have their turn: calls have to begin in time.
pub(crate) const LONG_BODY: usize = 4 << 10;

/// How long to wait before coming back to runtimes that were full.
const COME_BACK_MS: i64 = 100;

/// What a message of a runtime about a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Result,
    Refused,
    Beat,
    Progress,
    Item,
    Log,
    Text,
    Chunk,
    Question,
    /// Of a later minor version: ignored, but it may be numbered.
    Unknown,
}

impl Kind {
    const NAMES: [(Self, &'static str); 9] = [
        (Self::Result, "result"),
        (Self::Refused, "refused"),
        (Self::Beat, "beat"),
        (Self::Progress, "progress"),
        (Self::Item, "item"),
        (Self::Log, "log"),
        (Self::Text, "text"),
        (Self::Chunk, "chunk"),
        (Self::Question, "question"),
    ];

    pub(crate) fn name(self) -> &'static str {
        let row = Self::NAMES.iter().find(|(kind, _)| *kind == self);
        row.map_or("unknown", |(_, name)| name)
    }

    /// The kind that headers say.
    pub(crate) fn of(message: Option<&HeaderMap>) -> Self {
        let Some(name) = message.and_then(|map| headers::text(map, headers::KIND)) else {
            return Self::Result;
        };
        let row = Self::NAMES.iter().find(|(_, known)| *known == name);
        row.map_or(Self::Unknown, |(kind, _)| *kind)
    }
}

/// Puts an error into headers: ADM's error has no place for its code and its details.
pub(crate) fn add_error(map: &mut HeaderMap, json: &str) {
    map.insert(headers::ERROR, ascii(json));
}

/// The error of this JSON.
pub(crate) fn read_error(json: &str) -> Option<ToolError> {
    let error = StandardError::from_value(&Value::from_json(json).ok()?).ok()?;
    Some(ToolError::of_standard(error))
}

/// An error of the grid itself. The detail `grid` says which, for programs.
pub(crate) fn grid_error(kind: ErrorKind, grid: &str, message: &str) -> ToolError {
    ToolError::new(kind, message).with_detail("grid", grid)
}

/// Says that nobody has a place for a call.
pub(crate) fn full() -> ToolError {
    let message = "All places of the runtimes of this tool are taken. Wait and try again.";
    grid_error(ErrorKind::TooManyAtOnce, "full", message)
        .with_detail("retry_after_ms", COME_BACK_MS)
}

/// The same JSON without characters beyond ASCII, which are in strings only.
fn ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if (' '..='~').contains(&character) {
            out.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Kind, ascii, read_error};
    use async_nats::HeaderMap;
    use toolpact::ToolError;

    #[test]
    fn errors_come_back_as_they_were() {
        let error = ToolError::not_found("Kein Käse 🧀 – „aus“.").with_detail("shelf", 3);
        let mut headers = HeaderMap::new();
        super::add_error(&mut headers, &error.to_standard().to_json());
        let json = crate::headers::text(&headers, crate::headers::ERROR).unwrap();
        assert!(json.is_ascii());
        let read = read_error(json).unwrap();
        assert_eq!(read.to_standard().to_json(), error.to_standard().to_json());
    }

    #[test]
    fn json_in_headers_is_ascii() {
        assert_eq!(ascii(r#"{"a":"ä🧀"}"#), r#"{"a":"\u00e4\ud83e\uddc0"}"#);
    }

    #[test]
    fn a_message_that_says_nothing_is_a_result() {
        assert_eq!(Kind::of(None), Kind::Result);
        for (kind, name) in Kind::NAMES {
            assert_eq!(kind.name(), name);
            assert_eq!(Kind::of(Some(&crate::headers::of_kind(name))), kind);
        }
        assert_eq!(Kind::of(Some(&crate::headers::of_kind("x"))), Kind::Unknown);
    }
}
