//! MCP calls and results: bare, or wrapped in a JSON-RPC message if they have an identifier.

use std::borrow::Cow;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value, Writer};
use crate::model::{ErrorObject, Form as Writing, Model, ToolResult, describe};
use crate::returns::StandardError;
use crate::violation::rules::structure as rules;

use super::super::returns::WRAPPED;
use super::definition_hint::DefinitionHint;
use super::failure::{self, ERROR};
use super::shape::{Form, Outcome, Shape, missing};
use super::text::{self, Carried};
use super::{Answer, CallId, NamedCall};

pub(in crate::dialect) const FORM: Form = Form {
    call: Shape {
        name: "a tool call",
        inside: &["params"],
        id: "id",
        mark: Some(("method", "tools/call")),
    },
    args: "arguments",
    result: Shape {
        name: "a tool result",
        inside: &["result"],
        id: "id",
        mark: Some(("jsonrpc", "2.0")),
    },
    outcome: |body, told, report| outcome(body, told, Era::Newest, report),
    write_call: |call, writer| write_call(call, Era::Newest, writer),
    write_result: |answer, told, writer| write_result(answer, told, Era::Newest, writer),
};

pub(in crate::dialect) const FORM_2025: Form = Form {
    outcome: |body, told, report| outcome(body, told, Era::Before2026, report),
    write_call: |call, writer| write_call(call, Era::Before2026, writer),
    write_result: |answer, told, writer| write_result(answer, told, Era::Before2026, writer),
    ..FORM
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Era {
    /// Structured content is an object.
    Before2026,
    /// Structured content is any value, results have `resultType`, calls have `protocolVersion`.
    Newest,
}

const VERSION: &str = "2026-07-28";

/// The `_meta` key of the structured error. It is not in `structuredContent`, because the official
/// TypeScript client of 2025 validates that against the tool's schema even if `isError` is set. A
/// server that knows that the schema accepts the error can put it there as well.
const OUR_ERROR: &str = "toolpact/error";

fn write_call(call: &NamedCall<'_>, era: Era, writer: &mut Writer) {
    envelope(call.id, "params", writer, |writer| {
        writer.begin_object();
        writer.key("name").string(call.name);
        writer.key("arguments").raw(call.args.text());
        if era == Era::Newest {
            let meta = "io.modelcontextprotocol/";
            writer.key("_meta").begin_object();
            writer
                .key(&format!("{meta}protocolVersion"))
                .string(VERSION);
            writer.key(&format!("{meta}clientCapabilities")).raw("{}");
            writer.end_object();
        }
        writer.end_object();
    });
}

fn write_result(answer: &Answer, told: DefinitionHint<'_>, era: Era, writer: &mut Writer) {
    envelope(answer.id.as_ref(), "result", writer, |writer| {
        writer.begin_object();
        let given = answer.text.as_deref().map(Cow::from);
        writer.key("content");
        match &answer.result {
            ToolResult::Success { content, .. } => {
                let text = given.unwrap_or_else(|| text::of(content));
                text::write_block(&text, writer);
                write_structured(content, &text, told, era, writer);
            }
            ToolResult::Error { error, .. } => {
                text::write_block(&given.unwrap_or_else(|| error.message().into()), writer);
                writer.key("isError").raw("true");
                writer.key("_meta").begin_object().key(OUR_ERROR);
                error.write(writer, Writing::Faithful);
                writer.end_object();
            }
        }
        if era == Era::Newest {
            writer.key("resultType").string("complete");
        }
        writer.end_object();
    });
}

/// Writes the structured content, if a schema requires it or the text does not say it all.
fn write_structured(
    content: &Value,
    text: &str,
    told: DefinitionHint<'_>,
    era: Era,
    writer: &mut Writer,
) {
    const KEY: &str = "structuredContent";
    let said = || content.root().as_str().as_deref() == Some(text);
    let allowed = match era {
        Era::Before2026 => content.kind() == Kind::Object,
        Era::Newest => told.schema() || !said(),
    };
    if era == Era::Before2026 && told.wrapped() {
        writer.key(KEY).begin_object().key(WRAPPED);
        writer.raw(content.text()).end_object();
    } else if allowed {
        writer.key(KEY).raw(content.text());
    }
}

/// Wraps the body in a JSON-RPC message if there is an identifier.
fn envelope(id: Option<&CallId>, key: &str, writer: &mut Writer, body: impl FnOnce(&mut Writer)) {
    let Some(id) = id else {
        return body(writer);
    };
    writer.begin_object().key("jsonrpc").string("2.0");
    id.write(writer.key("id"));
    if key == "params" {
        writer.key("method").string("tools/call");
    }
    body(writer.key(key));
    writer.end_object();
}

fn outcome(
    body: Node<'_>,
    told: DefinitionHint<'_>,
    era: Era,
    report: &mut Report,
) -> Option<Outcome> {
    refuse_unfinished(body, report)?;
    let content = body.get("content");
    let structured = body.get("structuredContent");
    let structured = structured.filter(|s| era == Era::Newest || s.kind() != Kind::Null);
    let carried = match (content, structured, body.get(ERROR)) {
        (Some(content), ..) => Some(Carried::read(content, "content", report)?),
        (None, Some(_), _) => None,
        // The request itself was refused.
        (None, None, Some(error)) => return Some(failed(failure::of_node(error), None)),
        (None, None, None) => return missing("content", "a tool result", body, report),
    };
    if body.get("isError").and_then(Node::as_bool) == Some(true) {
        return Some(failure_of(body, structured, carried));
    }
    let Some(structured) = structured else {
        let result = match carried? {
            Carried::Text(text) => text.into(),
            Carried::Blocks(blocks) => blocks,
        };
        return Some(Outcome {
            result: Ok(result),
            text: None,
        });
    };
    let wrapped = structured.get(WRAPPED).filter(|_| told.wrapped());
    let content = wrapped.unwrap_or(structured).to_value();
    let more = carried.and_then(Carried::into_text);
    let more = more.filter(|text| *text != text::of(&content));
    Some(Outcome {
        result: Ok(content),
        text: more,
    })
}

/// Refuses results that are not final: still running, or waiting for input.
fn refuse_unfinished(body: Node<'_>, report: &mut Report) -> Option<()> {
    let kind = body.get("resultType").filter(|t| t.kind() != Kind::Null);
    let Some(kind) = kind.filter(|kind| kind.as_str().as_deref() != Some("complete")) else {
        return Some(());
    };
    report.add(&rules::WRONG_TYPE, Place::Node(kind.id()), |finding| {
        finding.say(format!(
            "expected `resultType` of a tool result to be `complete`, found {}",
            describe(kind)
        ));
    });
    None
}

fn failure_of(body: Node<'_>, structured: Option<Node<'_>>, carried: Option<Carried>) -> Outcome {
    let ours = body.get("_meta").and_then(|meta| meta.get(OUR_ERROR));
    let ours = ours.and_then(|error| our_error(&error.to_value()));
    let ours = ours.or_else(|| failure::marked(structured?));
    let text = carried.and_then(Carried::into_text);
    match (ours, text) {
        (Some(error), text) => {
            let more = text.filter(|text| *text != error.message());
            failed(error, more)
        }
        (None, Some(text)) => failed(failure::of_text(&text), None),
        (None, None) => {
            let error = structured.map_or_else(|| failure::of_text(""), failure::of_node);
            failed(error, None)
        }
    }
}

/// Reads an error in ADM's format, or in ADL's, which has a code.
fn our_error(error: &Value) -> Option<ErrorObject> {
    let adm = ErrorObject::from_value(error).ok();
    adm.or_else(|| {
        let adl = StandardError::from_value(error).ok()?;
        Some(ErrorObject::from(&adl))
    })
}

fn failed(error: ErrorObject, text: Option<String>) -> Outcome {
    Outcome {
        result: Err(error),
        text,
    }
}
