//! Results in the words of the protocol.

use rmcp::model::{CallToolResult, ContentBlock, ErrorData, MetaObject};
use serde_json::Value as Json;
use toolpact::core::dialect::Answer;
use toolpact::core::json::Kind;
use toolpact::{Completed, ToolError};

use super::catalog::Listed;
use super::content;
use crate::View;

/// Where an error is told to programs, whatever the tool promises.
pub(crate) const ERROR: &str = "toolpact/error";

/// What a client is sent of a call.
pub(super) fn of(
    completed: &Completed,
    listed: &Listed,
    view: View,
) -> Result<CallToolResult, ErrorData> {
    let mut result = written(completed, listed, completed.text_without_handle());
    let has_structure = |result: &CallToolResult| result.structured_content.is_some();
    // MCP has no way to read the rest of a text that was cut, unless it is in the structure.
    if completed.is_success() && (view == View::Text || !result.as_ref().is_some_and(has_structure))
    {
        result = written(completed, listed, completed.text_whole());
    }
    let mut result = result.ok_or_else(unwritable)?;
    match completed.error() {
        Some(error) => tell_error(&mut result, completed, error, listed),
        None => content::add(&mut result, completed),
    }
    let told = completed.is_success() && result.structured_content.is_some();
    match view {
        View::Text => result.structured_content = None,
        // What has no structure has to be said in words, and so has a failure.
        View::Structure if told => result.content.clear(),
        View::Structure | View::Both => {}
    }
    Ok(result)
}

/// As the dialect writes it: text, and the content where there is more to it.
fn written(completed: &Completed, listed: &Listed, text: String) -> Option<CallToolResult> {
    if let Some(structure) = object(completed, listed) {
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.is_error = None;
        result.structured_content = Some(structure);
        return Some(result);
    }
    let answer = Answer {
        id: None,
        result: completed.to_adm()?,
        text: Some(text),
    };
    let dialect = listed.export.dialect();
    let written = dialect.write_result(&answer, Some(&listed.export));
    serde_json::from_str(written.text()).ok()
}

/// What most tools return, an object as the schema promises. It is structure as it is.
fn object(completed: &Completed, listed: &Listed) -> Option<Json> {
    let value = completed.to_value().filter(|_| listed.as_it_is)?;
    let is_object = value.kind() == Kind::Object;
    is_object.then(|| value.deserialize().ok()).flatten()
}

/// The error with its code and details is always in `_meta`. In `structuredContent` it stands in the
/// envelope of the tool's return type, if a client that holds it to the `outputSchema` accepts that:
/// the official one for TypeScript does so with failures, too.
fn tell_error(
    result: &mut CallToolResult,
    completed: &Completed,
    error: &ToolError,
    listed: &Listed,
) {
    let told = serde_json::from_str(&error.as_standard().to_json()).unwrap_or(Json::Null);
    let meta = result.meta.get_or_insert_with(MetaObject::new);
    meta.0.insert(ERROR.to_owned(), told);
    let envelope = completed.to_adl();
    result.structured_content = match listed.accepts(&envelope) {
        true => envelope.deserialize().ok(),
        false => None,
    };
}

fn unwritable() -> ErrorData {
    ErrorData::internal_error("The result could not be written.", None)
}
