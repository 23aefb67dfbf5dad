//! Results in the words of the protocol.

use rmcp::model::{CallToolResult, ContentBlock, ErrorData, MetaObject};
use serde_json::Value as Json;
use toolpact::core::dialect;
use toolpact::core::json::{Kind, Node, Value};
use toolpact::{Completed, ToolError};

use super::catalog::Listed;
use super::content;
use crate::View;

/// Where an error is told to programs, whatever the tool promises.
pub(crate) const ERROR: &str = "toolpact/error";

/// What a client is sent of a call.
pub(crate) struct Answer {
    pub(super) content: Vec<ContentBlock>,
    pub(super) structure: Option<Value>,
    is_error: Option<bool>,
    meta: Option<MetaObject>,
}

impl Answer {
    pub(crate) fn of(
        completed: &Completed,
        listed: &Listed,
        view: View,
    ) -> Result<Self, ErrorData> {
        let mut answer = written(completed, listed, completed.text_truncated());
        let has_structure = |answer: &Self| answer.structure.is_some();
        // MCP has no way to read the rest of a text that was cut, unless it is in the structure.
        if completed.is_success()
            && (view == View::Text || !answer.as_ref().is_some_and(has_structure))
        {
            answer = written(completed, listed, completed.text_uncut());
        }
        let mut answer = answer.ok_or_else(unwritable)?;
        match completed.error() {
            Some(error) => answer.tell_error(completed, error, listed),
            None => content::add(&mut answer, completed),
        }
        let told = completed.is_success() && answer.structure.is_some();
        match view {
            View::Text => answer.structure = None,
            // What has no structure has to be said in words, and so has a failure.
            View::Structure if told => answer.content.clear(),
            View::Structure | View::Both => {}
        }
        Ok(answer)
    }

    /// The error with its code and details is always in `_meta`. In `structuredContent` it stands in
    /// the envelope of the tool's return type, if a client that holds it to the `outputSchema` accepts
    /// that: the official one for TypeScript does so with failures, too.
    fn tell_error(&mut self, completed: &Completed, error: &ToolError, listed: &Listed) {
        let told = serde_json::from_str(&error.to_standard().to_json()).unwrap_or(Json::Null);
        let meta = self.meta.get_or_insert_with(MetaObject::new);
        meta.0.insert(ERROR.to_owned(), told);
        let envelope = completed.to_adl();
        self.structure = listed.accepts(&envelope).then_some(envelope);
    }

    /// As the library takes it.
    pub(super) fn into_result(self) -> CallToolResult {
        let mut result = CallToolResult::success(self.content);
        result.structured_content = self.structure.and_then(|value| value.deserialize().ok());
        result.is_error = self.is_error;
        result.meta = self.meta;
        result
    }

    /// As JSON, with the structure as it was checked. Only the last version says that a result is one.
    pub(crate) fn write(&self, into: &mut Vec<u8>, says_type: bool) -> serde_json::Result<()> {
        let kind: &[u8] = if says_type {
            b"\"resultType\":\"complete\","
        } else {
            b""
        };
        into.push(b'{');
        into.extend(kind);
        into.extend(b"\"content\":");
        serde_json::to_writer(&mut *into, &self.content)?;
        if let Some(structure) = &self.structure {
            into.extend(b",\"structuredContent\":");
            into.extend(structure.text().as_bytes());
        }
        if let Some(is_error) = self.is_error {
            into.extend(b",\"isError\":");
            serde_json::to_writer(&mut *into, &is_error)?;
        }
        if let Some(meta) = &self.meta {
            into.extend(b",\"_meta\":");
            serde_json::to_writer(&mut *into, meta)?;
        }
        into.push(b'}');
        Ok(())
    }
}

/// As the dialect writes it: text, and the content where there is more to it.
fn written(completed: &Completed, listed: &Listed, text: String) -> Option<Answer> {
    if let Some(structure) = object(completed, listed) {
        return Some(Answer {
            content: vec![ContentBlock::text(text)],
            structure: Some(structure),
            is_error: None,
            meta: None,
        });
    }
    let answer = dialect::Answer {
        id: None,
        result: completed.to_adm()?,
        text: Some(text),
    };
    let dialect = listed.export.dialect();
    let written = dialect.write_result(&answer, Some(&listed.export));
    let part = |key: &str| written.root().get(key).map(Node::to_value);
    let meta = part("_meta").map(|meta| meta.deserialize());
    Some(Answer {
        content: part("content")?.deserialize().ok()?,
        structure: part("structuredContent"),
        is_error: part("isError").and_then(|is_error| is_error.root().as_bool()),
        meta: meta.transpose().ok()?,
    })
}

/// What most tools return, an object as the schema promises. It is structure as it is.
fn object(completed: &Completed, listed: &Listed) -> Option<Value> {
    let value = completed.to_value().filter(|_| listed.as_it_is)?;
    (value.kind() == Kind::Object).then_some(value)
}

fn unwritable() -> ErrorData {
    ErrorData::internal_error("The result could not be written.", None)
}
