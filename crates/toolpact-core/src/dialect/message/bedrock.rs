//! Content blocks of Bedrock's Converse API.

use std::borrow::Cow;

use crate::json::report::Report;
use crate::json::{Kind, Node, Value, Writer};
use crate::model::{ToolResult, expect};

use super::definition_hint::DefinitionHint;
use super::failure;
use super::shape::{Form, Outcome, Shape, write_id};
use super::{Answer, NamedCall, text};

pub(in crate::dialect) const FORM: Form = Form {
    call: Shape {
        name: "a tool use block",
        inside: &["toolUse"],
        id: ID,
        mark: None,
    },
    args: "input",
    result: Shape {
        name: "a tool result block",
        inside: &["toolResult"],
        id: ID,
        mark: None,
    },
    outcome,
    write_call,
    write_result,
};

const ID: &str = "toolUseId";
const JSON: &str = "json";
const TEXT: &str = "text";

fn write_call(call: &NamedCall<'_>, writer: &mut Writer) {
    writer.begin_object().key("toolUse").begin_object();
    write_id(ID, call.id, writer);
    writer.key("name").string(call.name);
    writer.key("input").raw(call.args.text());
    writer.end_object().end_object();
}

fn write_result(answer: &Answer, _: DefinitionHint<'_>, writer: &mut Writer) {
    writer.begin_object().key("toolResult").begin_object();
    write_id(ID, answer.id.as_ref(), writer);
    writer.key("content").begin_array();
    let given = answer.text.as_deref().map(Cow::from);
    let status = match &answer.result {
        // The API takes objects only as `json`.
        ToolResult::Success { content, .. }
            if given.is_none() && content.root().kind() == Kind::Object =>
        {
            writer
                .begin_object()
                .key(JSON)
                .raw(content.text())
                .end_object();
            "success"
        }
        ToolResult::Success { content, .. } => {
            write_text(&given.unwrap_or_else(|| text::of(content)), writer);
            "success"
        }
        ToolResult::Error { error, .. } => {
            let told = given.unwrap_or_else(|| failure::to_text(error, None).into());
            write_text(&told, writer);
            "error"
        }
    };
    writer.end_array().key("status").string(status);
    writer.end_object().end_object();
}

/// The API refuses an empty text.
fn write_text(text: &str, writer: &mut Writer) {
    if !text.is_empty() {
        writer.begin_object().key(TEXT).string(text).end_object();
    }
}

fn outcome(body: Node<'_>, told: DefinitionHint<'_>, report: &mut Report) -> Option<Outcome> {
    let failed = body.get("status").and_then(Node::as_str).as_deref() == Some("error");
    let content = body.get("content").filter(|c| c.kind() != Kind::Null);
    let blocks = match content {
        Some(content) => expect(content, Kind::Array, "content", report)?,
        None if failed => return Some(text::read_failure("")),
        None => return Some(succeeded(Value::from(()))),
    };
    let texts: Vec<Cow<'_, str>> = blocks.items().filter_map(text_of).collect();
    let mut items = blocks.items();
    let only = items.next().filter(|_| blocks.items().nth(1).is_none());
    let json = only.and_then(|block| block.get(JSON));
    Some(match json {
        _ if failed && !texts.is_empty() => text::read_failure(&texts.join("\n")),
        Some(json) if failed => text::read_failure(json.text()),
        Some(json) => succeeded(json.to_value()),
        None if failed => text::read_failure(""),
        None if texts.len() == blocks.items().count() => text::read(&texts.join("\n"), told),
        None => succeeded(blocks.to_value()),
    })
}

fn succeeded(content: Value) -> Outcome {
    Outcome {
        result: Ok(content),
        text: None,
    }
}

fn text_of(block: Node<'_>) -> Option<Cow<'_, str>> {
    block.get(TEXT)?.as_str()
}
