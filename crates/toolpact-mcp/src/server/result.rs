//! Results of calls: one writer for all transports and versions.

use serde_json::Value as Json;
use toolpact::core::dialect;
use toolpact::core::json::{Node, Value};
use toolpact::core::returns::Outcome;
use toolpact::{Completed, ToolError};

use super::catalog::Listed;
use super::content;
use crate::View;

/// The key of what came of the call in the `_meta` of a result: the outcome that the result says, or the code
/// of the error. Where it is not there, it is `SUCCESS`.
const OUTCOME: &str = "toolpact/outcome";

/// The key of what answered in place of the tool in the `_meta` of a result. Where it is not there, the tool did.
const STAND_IN: &str = "toolpact/stand-in";

/// The key of an error in the `_meta` of a result, whatever the tool promises.
#[doc(hidden)]
pub const ERROR: &str = "toolpact/error";

/// The result of `tools/call`.
pub(crate) struct CallResult {
    pub(super) content: Content,
    /// `structuredContent`, as JSON.
    pub(super) structure: Option<Vec<u8>>,
    is_error: Option<bool>,
    meta: Option<Json>,
}

/// What the client may show to a model.
pub(super) enum Content {
    /// One block of text.
    Text(String),
    /// A list of blocks, as JSON.
    Blocks(Vec<Json>),
    Nothing,
}

impl CallResult {
    /// `None` if it cannot be written.
    pub(crate) fn of(completed: &Completed, listed: &Listed, view: View) -> Option<Self> {
        let mut result = match completed.error() {
            None => success(completed, listed, view)?,
            Some(error) => {
                let mut result = converted(completed, listed, completed.text_truncated())?;
                result.add_error(completed, error, listed);
                result
            }
        };
        match completed.outcome() {
            Ok(Outcome::Success) => {}
            Ok(outcome) => result.add_meta(OUTCOME, outcome.to_string().into()),
            Err(error) => result.add_meta(OUTCOME, error.code().into()),
        }
        if let Some(stand_in) = completed.stand_in() {
            result.add_meta(STAND_IN, stand_in.into());
        }
        if view == View::Text {
            result.structure = None;
        }
        Some(result)
    }

    /// The error with its code and details is always in `_meta`. In `structuredContent` it stands in
    /// the envelope of the tool's return type, if a client that checks it against the `outputSchema`
    /// accepts that: the official one for TypeScript does so with failures, too.
    fn add_error(&mut self, completed: &Completed, error: &ToolError, listed: &Listed) {
        let told = serde_json::from_str(&error.to_standard().to_json()).unwrap_or(Json::Null);
        self.add_meta(ERROR, told);
        let envelope = completed.to_adl();
        let accepted = listed.accepts(&envelope);
        self.structure = accepted.then(|| envelope.text().as_bytes().to_vec());
    }

    fn add_meta(&mut self, key: &str, value: Json) {
        let meta = self
            .meta
            .get_or_insert_with(|| Json::Object(serde_json::Map::new()));
        if let Json::Object(meta) = meta {
            meta.insert(key.to_owned(), value);
        }
    }

    /// Only the last version says that a result is complete.
    pub(crate) fn write(&self, json: &mut Vec<u8>, says_type: bool) {
        json.push(b'{');
        if says_type {
            json.extend_from_slice(b"\"resultType\":\"complete\",");
        }
        json.extend_from_slice(b"\"content\":");
        // Text and JSON can always be written.
        let _ = match &self.content {
            Content::Nothing => {
                json.extend_from_slice(b"[]");
                Ok(())
            }
            Content::Text(text) => {
                json.extend_from_slice(b"[{\"type\":\"text\",\"text\":");
                let written = serde_json::to_writer(&mut *json, text);
                json.extend_from_slice(b"}]");
                written
            }
            Content::Blocks(blocks) => serde_json::to_writer(&mut *json, blocks),
        };
        if let Some(structure) = &self.structure {
            json.extend_from_slice(b",\"structuredContent\":");
            json.extend_from_slice(structure);
        }
        if let Some(is_error) = self.is_error {
            json.extend_from_slice(b",\"isError\":");
            json.extend_from_slice(is_error.to_string().as_bytes());
        }
        if let Some(meta) = &self.meta {
            json.extend_from_slice(b",\"_meta\":");
            let _ = serde_json::to_writer(&mut *json, meta);
        }
        json.push(b'}');
    }
}

fn success(completed: &Completed, listed: &Listed, view: View) -> Option<CallResult> {
    // MCP has no way to read the rest of a truncated text, unless it is in the structure.
    let text = |has_structure| match has_structure && view != View::Text {
        true => completed.text_truncated(),
        false => completed.text_uncut(),
    };
    let mut result = match object(completed, listed) {
        Some(structure) => CallResult {
            content: match view {
                View::Structure => Content::Nothing,
                View::Text | View::Both => Content::Text(text(true)),
            },
            structure: Some(structure),
            is_error: None,
            meta: None,
        },
        None => {
            let result = converted(completed, listed, text(true))?;
            match result.structure.is_some() && view != View::Text {
                true => result,
                false => converted(completed, listed, text(false))?,
            }
        }
    };
    content::add(&mut result, completed);
    // What has no structure has to be said in words.
    if view == View::Structure && result.structure.is_some() {
        result.content = Content::Nothing;
    }
    Some(result)
}

/// What most tools return, an object as the schema promises. It is the structure as it is.
fn object(completed: &Completed, listed: &Listed) -> Option<Vec<u8>> {
    if !listed.as_it_is {
        return None;
    }
    let json = completed.to_json()?;
    json.starts_with(b"{").then_some(json)
}

/// As the dialect writes it: text, and the structure where there is more to it.
fn converted(completed: &Completed, listed: &Listed, text: String) -> Option<CallResult> {
    let answer = dialect::Answer {
        id: None,
        result: completed.to_adm()?,
        text: Some(text),
    };
    let dialect = listed.export.dialect();
    let written: Value = dialect.write_result(&answer, Some(&listed.export));
    let part = |key: &str| written.root().get(key);
    let structure = part("structuredContent").map(|node| node.text().as_bytes().to_vec());
    let meta = part("_meta").map(|meta| serde_json::from_str(meta.text()));
    Some(CallResult {
        content: Content::Blocks(serde_json::from_str(part("content")?.text()).ok()?),
        structure,
        is_error: part("isError").and_then(Node::as_bool),
        meta: meta.transpose().ok()?,
    })
}
