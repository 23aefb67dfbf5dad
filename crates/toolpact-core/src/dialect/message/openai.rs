//! OpenAI Responses items and Chat Completions messages. Results are text, and nothing marks a
//! failure.

use std::borrow::Cow;

use crate::json::report::Report;
use crate::json::{Node, Writer};
use crate::model::ToolResult;

use super::definition_hint::DefinitionHint;
use super::failure;
use super::shape::{Form, Outcome, Shape, missing, write_id};
use super::text::{self, Carried};
use super::{Answer, NamedCall};

const OUTPUT: &str = "a function call output";
const MESSAGE: &str = "a tool message";

pub(in crate::dialect) const FORM: Form = Form {
    call: Shape {
        name: "a function call",
        inside: &[],
        id: "call_id",
        mark: Some(("type", "function_call")),
    },
    args: "arguments",
    result: Shape {
        name: OUTPUT,
        inside: &[],
        id: "call_id",
        mark: Some(("type", "function_call_output")),
    },
    outcome: |body, told, report| outcome(body, ("output", OUTPUT), told, report),
    write_call,
    write_result,
};

pub(in crate::dialect) const FORM_CHAT: Form = Form {
    call: Shape {
        name: "a tool call",
        inside: &["function"],
        id: "id",
        mark: Some(("type", "function")),
    },
    result: Shape {
        name: MESSAGE,
        inside: &[],
        id: "tool_call_id",
        mark: Some(("role", "tool")),
    },
    outcome: |body, told, report| outcome(body, ("content", MESSAGE), told, report),
    write_call: write_chat_call,
    write_result: write_chat_result,
    ..FORM
};

fn write_call(call: &NamedCall<'_>, writer: &mut Writer) {
    writer.begin_object().key("type").string("function_call");
    write_id("call_id", call.id, writer);
    writer.key("name").string(call.name);
    writer
        .key("arguments")
        .string(call.args.text())
        .end_object();
}

fn write_chat_call(call: &NamedCall<'_>, writer: &mut Writer) {
    writer.begin_object();
    write_id("id", call.id, writer);
    writer.key("type").string("function");
    writer.key("function").begin_object();
    writer.key("name").string(call.name);
    writer.key("arguments").string(call.args.text());
    writer.end_object().end_object();
}

fn write_result(answer: &Answer, told: DefinitionHint<'_>, writer: &mut Writer) {
    writer.begin_object();
    writer.key("type").string("function_call_output");
    write_id("call_id", answer.id.as_ref(), writer);
    let output = output(answer, told);
    writer.key("output").string(&output).end_object();
}

fn write_chat_result(answer: &Answer, told: DefinitionHint<'_>, writer: &mut Writer) {
    writer.begin_object().key("role").string("tool");
    write_id("tool_call_id", answer.id.as_ref(), writer);
    let output = output(answer, told);
    writer.key("content").string(&output).end_object();
}

fn output<'a>(answer: &'a Answer, told: DefinitionHint<'_>) -> Cow<'a, str> {
    match (&answer.result, &answer.text) {
        (ToolResult::Error { error, .. }, text) => failure::to_text(error, text.as_deref()).into(),
        // A result schema describes the JSON in the text, so a string stays quoted.
        (ToolResult::Success { content, .. }, _) if told.schema() => content.text().into(),
        (ToolResult::Success { .. }, Some(text)) => text.into(),
        (ToolResult::Success { content, .. }, None) => text::of(content),
    }
}

fn outcome(
    body: Node<'_>,
    (key, of): (&str, &str),
    told: DefinitionHint<'_>,
    report: &mut Report,
) -> Option<Outcome> {
    let Some(output) = body.get(key) else {
        return missing(key, of, body, report);
    };
    Some(Carried::read(output, key, report)?.outcome(false, told))
}
