//! What another server answers, held to what it promised.

use rmcp::model::ServerResult;
use toolpact::ToolError;
use toolpact::core::dialect::Answer;
use toolpact::core::json::{Kind, Node, Value};
use toolpact::core::model::ToolResult;
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::define::UntypedOutput;

use crate::tools::Remote;
use toolpact_mcp::ERROR;
use toolpact_mcp::Version;

/// Reads an answer: what the tool returned, or why it failed.
pub(crate) fn read(
    answer: &ServerResult,
    tool: &Remote,
    version: &str,
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
        } => Err(failure(answer.root(), tool, &StandardError::from(&error))),
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
    let content = unwrapped(content, tool)
        .ok_or_else(|| broken(tool, "no `result` in its `structuredContent`"))?;
    if let Some(promise) = &tool.promise {
        promise.check(&content).map_err(|violations| {
            broken(tool, "something other than its `outputSchema` promises").with_source(violations)
        })?;
    }
    let is_text = answer.get("structuredContent").is_none() && content.kind() == Kind::String;
    if is_text && tool.contract.returns().is_structure() {
        // Servers without schemas send JSON as text.
        let words = content.root().as_str().unwrap_or_default();
        return Ok(UntypedOutput::written(&words, &tool.contract));
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

/// The structure, without what is around it where it had to be an object.
fn unwrapped(content: Value, tool: &Remote) -> Option<Value> {
    match tool.is_wrapped {
        true => content.root().get("result").map(Node::to_value),
        false => Some(content),
    }
}

/// Why a tool of another server failed. That server may say that its own caller, which is this process, is unknown to
/// it or not allowed; to our callers, who are known and allowed, that is a failure of what the tool depends on. What
/// has too many calls is that server.
fn failure(answer: Node<'_>, tool: &Remote, words: &StandardError) -> ToolError {
    as_dependency(said_failure(answer, tool, words))
}

fn as_dependency(error: ToolError) -> ToolError {
    let kind = match (error.kind().http_status(), error.kind()) {
        (401 | 403, _) => ErrorKind::DependencyFailed,
        (_, ErrorKind::TooManyAtOnce) => ErrorKind::RateLimited,
        _ => return error,
    };
    let other = ToolError::new(kind, error.message()).with_detail("upstream_code", error.code());
    match error.result() {
        Some(result) => other.with_result(result.clone()),
        None => other,
    }
}

/// The error with its code, if the server says one: in `_meta`, as ours do, or in the envelope of a
/// return type. What else a failure says is kept as its type allows. Of others, the words are kept.
fn said_failure(answer: Node<'_>, tool: &Remote, words: &StandardError) -> ToolError {
    let ours = answer.get("_meta").and_then(|meta| meta.get(ERROR));
    let ours = ours.and_then(|error| StandardError::from_value(&error.to_value()).ok());
    let ours = ours.map(ToolError::of_standard);
    let structure = answer.get("structuredContent").map(Node::to_value);
    let structure = structure.and_then(|structure| unwrapped(structure, tool));
    let said = ours.as_ref().and_then(ToolError::result);
    let reported = [structure.as_ref(), said]
        .into_iter()
        .flatten()
        .find_map(|result| tool.contract.returns().failure(result));
    match (ours, reported) {
        (Some(error), Some(failure)) => return error.with_result(failure.result),
        (Some(error), None) => return error,
        (None, Some(failure)) => {
            return ToolError::from(failure.error).with_result(failure.result);
        }
        (None, None) => {}
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

#[cfg(test)]
mod tests {
    use super::{ErrorKind, ToolError, as_dependency};

    /// 401 and 403 are ours to say: of our callers, and not of us.
    #[test]
    fn another_server_does_not_choose_our_refusals() {
        for said in ErrorKind::all() {
            let read = as_dependency(ToolError::new(said, "It says so."));
            let status = read.kind().http_status();
            assert!(!matches!(status, 401 | 403 | 503), "{said}: {status}");
            assert_ne!(read.kind(), ErrorKind::TooManyAtOnce, "{said}");
            assert_eq!(read.message(), "It says so.");
            let is_kept = read.kind() == said;
            let detail = format!("{:?}", read.to_standard());
            assert!(is_kept || detail.contains(said.code()), "{detail}");
        }
        let other = as_dependency(ToolError::with_code("AUTH_SOMEHOW", "Who?"));
        assert_eq!(other.code(), "EXTERNAL_API_ERROR");
    }
}
