//! Anthropic content blocks.

use crate::json::report::Report;
use crate::json::{Kind, Node, Value, Writer};
use crate::model::ToolResult;

use super::definition_hint::DefinitionHint;
use super::failure;
use super::shape::{Form, Outcome, Shape, write_id};
use super::text::{self, Carried};
use super::{Answer, NamedCall};

pub(in crate::dialect) const FORM: Form = Form {
    // Calls that the server runs itself are `server_tool_use`, and are not read as calls.
    call: Shape {
        name: "a tool use block",
        inside: &[],
        id: "id",
        mark: Some(("type", "tool_use")),
    },
    args: "input",
    result: Shape {
        name: "a tool result block",
        inside: &[],
        id: "tool_use_id",
        mark: Some(("type", "tool_result")),
    },
    outcome,
    write_call,
    write_result,
};

fn write_call(call: &NamedCall<'_>, writer: &mut Writer) {
    writer.begin_object().key("type").string("tool_use");
    write_id("id", call.id, writer);
    writer.key("name").string(call.name);
    writer.key("input").raw(call.args.text()).end_object();
}

fn write_result(answer: &Answer, _: DefinitionHint<'_>, writer: &mut Writer) {
    writer.begin_object().key("type").string("tool_result");
    write_id("tool_use_id", answer.id.as_ref(), writer);
    let given = answer.text.as_deref().map(Into::into);
    let (text, failed) = match &answer.result {
        ToolResult::Success { content, .. } => (given.unwrap_or_else(|| text::of(content)), false),
        ToolResult::Error { error, .. } => {
            let told = given.unwrap_or_else(|| failure::to_text(error, None).into());
            (told, true)
        }
    };
    writer.key("content");
    match &*text {
        // Anthropic refuses an empty text block.
        "" => drop(writer.begin_array().end_array()),
        text => text::write_block(text, writer),
    }
    if failed {
        writer.key("is_error").raw("true");
    }
    writer.end_object();
}

fn outcome(body: Node<'_>, told: DefinitionHint<'_>, report: &mut Report) -> Option<Outcome> {
    let failed = body.get("is_error").and_then(Node::as_bool) == Some(true);
    let content = body.get("content").filter(|c| c.kind() != Kind::Null);
    match content {
        Some(content) => Some(Carried::read(content, "content", report)?.outcome(failed, told)),
        None if failed => Some(text::read_failure("")),
        None => Some(Outcome {
            result: Ok(Value::from(())),
            text: None,
        }),
    }
}
