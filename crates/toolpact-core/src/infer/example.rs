//! What a line is: a call, a result, both, or a bare value.

use crate::dialect::{Dialect, SplitArguments};
use crate::json::report::Report;
use crate::json::{Kind, Node, Value};
use crate::returns::Outcome;

/// What lines are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Each line shows it: calls and results in any dialect, lines of a log of calls, or else values.
    #[default]
    Detect,
    /// Calls in any dialect, or else objects of arguments.
    Calls,
    /// Results in any dialect, or else values.
    Results,
    /// Values that a tool returns, whatever they look like.
    Values,
}

/// What was read.
pub(super) enum Example<'a> {
    Call {
        tool: Option<Box<str>>,
        id: Option<Box<str>>,
        arguments: Part<'a>,
    },
    /// Without content, it failed.
    Result {
        tool: Option<Box<str>>,
        id: Option<Box<str>>,
        content: Option<Part<'a>>,
    },
    Logged {
        tool: Box<str>,
        arguments: Option<Node<'a>>,
        result: Option<Result<Node<'a>, ()>>,
    },
    /// A message that is neither a call nor a result.
    Other,
}

/// A part of a message, or what a text in it says.
pub(super) enum Part<'a> {
    Node(Node<'a>),
    Read(Value),
}

impl Part<'_> {
    pub(super) fn node(&self) -> Node<'_> {
        match self {
            Part::Node(node) => *node,
            Part::Read(value) => value.root(),
        }
    }
}

pub(super) fn read(line: Node<'_>, form: Form) -> Example<'_> {
    let value = || Example::Result {
        tool: None,
        id: None,
        content: Some(Part::Node(line)),
    };
    let found = match form {
        Form::Values => None,
        Form::Detect => logged(line).or_else(|| call(line)).or_else(|| result(line)),
        Form::Results => logged(line).or_else(|| result(line)),
        Form::Calls => logged(line).or_else(|| call(line)).or_else(|| {
            let arguments = Part::Node(line);
            let is_object = line.kind() == Kind::Object;
            Some(match is_object {
                true => Example::Call {
                    tool: None,
                    id: None,
                    arguments,
                },
                false => Example::Other,
            })
        }),
    };
    found.unwrap_or_else(value)
}

/// The tool of a call, or of the line of a log.
pub(super) fn name_of_call(line: Node<'_>) -> Option<Box<str>> {
    match read(line, Form::Calls) {
        Example::Call { tool, .. } => tool,
        Example::Logged { tool, .. } => Some(tool),
        Example::Result { .. } | Example::Other => None,
    }
}

/// A line of the call log, of an audit or of a recorded session.
fn logged(line: Node<'_>) -> Option<Example<'_>> {
    let text = |key: &str| line.get(key).and_then(Node::as_str);
    let tool = text("tool").or_else(|| text("toolName"))?;
    let arguments = line.get("args").or_else(|| line.get("arguments"));
    let (result, outcome, error) = (line.get("result"), text("outcome"), line.get("error"));
    if arguments.is_none() && result.is_none() && outcome.is_none() {
        return None;
    }
    let is_success = match &outcome {
        Some(outcome) => is_result(outcome),
        None => error.is_none_or(|error| error.kind() == Kind::Null),
    };
    let was_asked = outcome.as_deref() == Some("ASKED");
    let result = match is_success {
        true => result.map(Ok),
        false => (!was_asked).then_some(Err(())),
    };
    Some(Example::Logged {
        tool: tool.into_owned().into(),
        arguments: arguments.filter(|arguments| arguments.kind() == Kind::Object),
        result,
    })
}

/// Whether a call that ended so has a result, and no error.
fn is_result(outcome: &str) -> bool {
    use Outcome::{Cancelled, Failed, Partial, Pending, Success};
    let mut all = [Success, Partial, Pending, Failed, Cancelled].into_iter();
    all.any(|known| known.as_str() == outcome)
}

fn call(line: Node<'_>) -> Option<Example<'_>> {
    let Some(dialect) = Dialect::of_call(line) else {
        let arguments = line
            .get("args")
            .filter(|args| args.kind() == Kind::Object)?;
        let id = line.get("call_id").and_then(text);
        return is_only(line, &["name", "args", "call_id", "metadata"]).then_some(Example::Call {
            tool: Some(line.get("name").and_then(text)?),
            id,
            arguments: Part::Node(arguments),
        });
    };
    if dialect == Dialect::Mcp && !is_mcp_call(line) {
        return None;
    }
    let mut report = Report::new(0);
    let call = dialect.split_call(line, &mut report)?;
    let arguments = match call.args {
        SplitArguments::Object(node) => Part::Node(node),
        SplitArguments::Read(value) => Part::Read(value),
        SplitArguments::Unread(_) | SplitArguments::Reported => return Some(Example::Other),
    };
    Some(Example::Call {
        tool: Some(call.name.and_then(text)?),
        id: call.id.map(|id| id.as_str().into()),
        arguments,
    })
}

fn result(line: Node<'_>) -> Option<Example<'_>> {
    let Some(dialect) = Dialect::of_result(line) else {
        let status = line.get("status").and_then(Node::as_str)?;
        let tool = Some(line.get("name").and_then(text)?);
        let content = match &*status {
            "SUCCESS" => Some(Part::Node(line.get("content")?)),
            "ERROR" if line.get("error").is_some() => None,
            _ => return None,
        };
        return Some(Example::Result {
            tool,
            id: None,
            content,
        });
    };
    if dialect == Dialect::Mcp && !is_mcp_result(line) {
        return None;
    }
    if line.get("jsonrpc").is_some() && line.get("result").is_none() {
        let id = line
            .get("id")
            .map(|id| id.as_str().map_or_else(|| id.text().into(), Into::into));
        let is_error = line.get("error").is_some();
        return Some(match is_error {
            true => Example::Result {
                tool: None,
                id,
                content: None,
            },
            false => Example::Other,
        });
    }
    let mut report = Report::new(0);
    let result = dialect.split_result(line, &mut report)?;
    Some(Example::Result {
        tool: result.name.and_then(text),
        id: result.id.map(|id| id.as_str().into()),
        content: result.outcome.ok().map(Part::Read),
    })
}

/// A value may have a `method` or a `name` and `arguments`, too.
fn is_mcp_call(line: Node<'_>) -> bool {
    let method = line.get("method").and_then(Node::as_str);
    match method {
        Some(method) => method == "tools/call",
        None => is_only(line, &["name", "arguments", "_meta", "id", "task"]),
    }
}

/// A value may have a list `content`, too.
fn is_mcp_result(line: Node<'_>) -> bool {
    if line.get("jsonrpc").is_some() {
        return line.get("result").or(line.get("error")).is_some() || line.get("method").is_some();
    }
    let keys = [
        "content",
        "structuredContent",
        "isError",
        "_meta",
        "resultType",
    ];
    let mut blocks = line.get("content").into_iter().flat_map(Node::items);
    is_only(line, &keys) && blocks.all(|block| block.get("type").and_then(Node::as_str).is_some())
}

fn is_only(line: Node<'_>, keys: &[&str]) -> bool {
    line.members().all(|(key, _)| keys.contains(&&*key))
}

fn text(node: Node<'_>) -> Option<Box<str>> {
    node.as_str().map(|text| text.into_owned().into())
}
