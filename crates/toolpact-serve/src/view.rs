//! The forms of an answer.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value as Json, json};
use toolpact::Completed;
use toolpact::core::dialect::{Answer, Dialect};
use toolpact::core::returns::{Retry, StandardError};

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// What a model reads.
    Text,
    /// The result, or the error.
    Json,
    /// As ADM has it.
    Adm,
    /// In the envelope of its ADL return type.
    Adl,
    /// As the newest MCP has it.
    Mcp,
}

impl View {
    /// All of them.
    pub const ALL: [View; 5] = [View::Text, View::Json, View::Adm, View::Adl, View::Mcp];

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            View::Text => "text",
            View::Json => "json",
            View::Adm => "adm",
            View::Adl => "adl",
            View::Mcp => "mcp",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.as_str() == name)
    }

    /// The result of a call in this form: text, or else JSON. The text names no handle.
    #[must_use]
    pub fn write(self, completed: &Completed) -> String {
        match (self, completed.error()) {
            (View::Text, _) => text(completed, false),
            (View::Json, Some(error)) => error_of(&error.to_standard()).to_string(),
            (View::Json, None) => result(completed),
            _ => written(completed, self, false),
        }
    }
}

impl<'de> Deserialize<'de> for View {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::from_name(&name).ok_or_else(|| D::Error::custom(format!("no view `{name}`")))
    }
}

impl JsonSchema for View {
    fn schema_name() -> Cow<'static, str> {
        "View".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "enum": Self::ALL.map(Self::as_str)})
    }
}

/// As JSON, for answers that are part of others. A text names a handle if its session is `kept`.
pub(crate) fn written(completed: &Completed, view: View, kept: bool) -> String {
    match view {
        View::Text => json!({"text": text(completed, kept)}).to_string(),
        View::Json => match completed.error() {
            Some(error) => json!({"error": error_of(&error.to_standard())}).to_string(),
            None => format!(r#"{{"result":{}}}"#, result(completed)),
        },
        View::Adm => completed
            .to_adm()
            .map_or_else(|| "null".to_owned(), |adm| adm.to_json()),
        View::Adl => completed.to_adl().text().to_owned(),
        View::Mcp => mcp(completed),
    }
}

/// What a model reads.
pub(crate) fn text(completed: &Completed, kept: bool) -> String {
    match kept {
        true => completed.text(),
        false => completed.text_truncated(),
    }
}

fn result(completed: &Completed) -> String {
    let json = completed.to_json().unwrap_or_else(|| b"null".to_vec());
    String::from_utf8_lossy(&json).into_owned()
}

/// As a client of MCP is sent it. One that calls a tool which is not there is sent no result, so
/// there is one only here.
fn mcp(completed: &Completed) -> String {
    if let Some(written) = toolpact_mcp::written(completed) {
        return written;
    }
    let Some(result) = completed.to_adm() else {
        return "null".to_owned();
    };
    let answer = Answer {
        id: None,
        result,
        text: Some(completed.text_truncated()),
    };
    Dialect::Mcp.write_result(&answer, None).text().to_owned()
}

/// An error as everybody is told.
pub(crate) fn error_of(error: &StandardError) -> Json {
    let retry = match error.retry() {
        Retry::Never => "never",
        Retry::Yes => "yes",
        Retry::IfIdempotent => "if_idempotent",
    };
    let mut told = json!({
        "code": error.code(),
        "type": error.error_type().as_str(),
        "message": error.message(),
        "retry": retry,
    });
    let details: Map<String, Json> = error
        .details()
        .filter_map(|(key, value)| Some((key.to_owned(), value.deserialize().ok()?)))
        .collect();
    if !details.is_empty() {
        told["details"] = details.into();
    }
    told
}
