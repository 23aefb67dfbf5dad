//! What another server answers, held to what it promised.

use rmcp::model::{ProtocolVersion, ServerResult};
use toolpact::ToolError;
use toolpact::core::dialect::Answer;
use toolpact::core::json::{Kind, Node, Value};
use toolpact::core::model::ToolResult;
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::define::UntypedOutput;

use super::tools::Remote;
use crate::server::ERROR;
use crate::version::Version;

/// Reads an answer: what the tool returned, or why it failed.
pub(super) fn read(
    answer: &ServerResult,
    tool: &Remote,
    version: Option<&ProtocolVersion>,
) -> Result<UntypedOutput, ToolError> {
    let answer = Value::from_json(serde_json::to_vec(answer)?)?;
    let name = tool.contract.name();
    let read = Version::spoken_by(version)
        .dialect()
        .read_result(&answer, Some(name), None);
    let read = read.map_err(|violations| {
        broken(tool, "an answer that MCP does not have").with_source(violations)
    })?;
    match read {
        Answer {
            result: ToolResult::Error { error, .. },
            ..
        } => Err(failure(answer.root(), &StandardError::from(&error))),
        Answer {
            result: ToolResult::Success { content, .. },
            text,
            ..
        } => success(answer.root(), tool, content, text),
    }
}

fn success(
    answer: Node<'_>,
    tool: &Remote,
    content: Value,
    text: Option<String>,
) -> Result<UntypedOutput, ToolError> {
    if tool.has_schema && answer.get("structuredContent").is_none() {
        let what = "no `structuredContent`, though it has an `outputSchema`";
        return Err(broken(tool, what));
    }
    let content = match tool.is_wrapped {
        true => {
            let inner = content.root().get("result").map(Node::to_value);
            inner.ok_or_else(|| broken(tool, "no `result` in its `structuredContent`"))?
        }
        false => content,
    };
    if let Some(promise) = &tool.promise {
        promise.check(&content).map_err(|violations| {
            broken(tool, "something other than its `outputSchema` promises").with_source(violations)
        })?;
    }
    Ok(produced(content, text))
}

/// The text is kept if it says something other than the structure does.
fn produced(content: Value, text: Option<String>) -> UntypedOutput {
    let same = |text: &String| {
        let read = Value::from_json(text).ok();
        read.is_some_and(|read| read.to_canonical() == content.to_canonical())
    };
    let text = text.filter(|text| !same(text));
    match (content.kind(), text) {
        (Kind::String, None) => {
            let words = content.root().as_str().unwrap_or_default().into_owned();
            UntypedOutput::from(content).with_text(words)
        }
        (_, None) => UntypedOutput::from(content),
        (_, Some(text)) => UntypedOutput::from(content).with_text(text),
    }
}

/// The error with its code, if the server says one: in `_meta`, as ours do, or in the envelope of a
/// return type. Of others, the words are kept.
fn failure(answer: Node<'_>, words: &StandardError) -> ToolError {
    let ours = answer.get("_meta").and_then(|meta| meta.get(ERROR));
    let ours = ours.and_then(|error| StandardError::from_value(&error.to_value()).ok());
    let envelope = || StandardError::of_failure(answer.get("structuredContent")?);
    if let Some(error) = ours.or_else(envelope) {
        return error.into();
    }
    // Without a type, nothing is known but that the tool did not do it.
    match words.kind() {
        ErrorKind::Internal => ToolError::new(ErrorKind::DependencyFailed, words.message()),
        _ => words.clone().into(),
    }
}

fn broken(tool: &Remote, what: &str) -> ToolError {
    let name = tool.contract.name();
    tracing::error!(target: "toolpact::mcp", tool = %name, what, "broken contract");
    StandardError::withheld(name.as_str(), Some(what)).into()
}
