//! Gemini content parts.

use crate::json::report::Report;
use crate::json::{Kind, Node, Value, Writer};
use crate::model::{ToolResult, expect};

use super::definition_hint::DefinitionHint;
use super::failure::{self, ERROR};
use super::shape::{Form, Outcome, Shape, write_id};
use super::{Answer, NamedCall};

pub(in crate::dialect) const FORM: Form = Form {
    call: Shape {
        name: "a function call",
        inside: &["functionCall", "function_call"],
        id: "id",
        mark: None,
    },
    args: "args",
    result: Shape {
        name: "a function response",
        inside: &["functionResponse", "function_response"],
        id: "id",
        mark: None,
    },
    outcome,
    write_call,
    write_result,
};

/// Gemini gives `output` and `error` in a response a meaning. A tool may return an object with the
/// same keys, so the content is always wrapped.
const OUTPUT: &str = "output";

fn write_call(call: &NamedCall<'_>, writer: &mut Writer) {
    writer.begin_object().key("functionCall").begin_object();
    write_id("id", call.id, writer);
    writer.key("name").string(call.name);
    writer.key("args").raw(call.args.text());
    writer.end_object().end_object();
}

fn write_result(answer: &Answer, told: DefinitionHint<'_>, writer: &mut Writer) {
    writer.begin_object().key("functionResponse").begin_object();
    write_id("id", answer.id.as_ref(), writer);
    let own = answer.result.name().as_str();
    writer.key("name").string(told.name().unwrap_or(own));
    writer.key("response");
    match (&answer.result, &answer.text) {
        (ToolResult::Error { error, .. }, text) => failure::write(error, text.as_deref(), writer),
        (ToolResult::Success { .. }, Some(text)) if !told.schema() => {
            writer.begin_object().key(OUTPUT).string(text).end_object();
        }
        (ToolResult::Success { content, .. }, _) => {
            writer.begin_object().key(OUTPUT);
            writer.raw(content.text()).end_object();
        }
    }
    writer.end_object().end_object();
}

fn outcome(body: Node<'_>, _: DefinitionHint<'_>, report: &mut Report) -> Option<Outcome> {
    let response = body.get("response").filter(|r| r.kind() != Kind::Null);
    let result = match response {
        None => Ok(Value::from(())),
        Some(response) => {
            let response = expect(response, Kind::Object, "response", report)?;
            let error = response.get(ERROR).filter(|e| e.kind() != Kind::Null);
            match (error, response.get(OUTPUT)) {
                (Some(error), _) => Err(failure::of_node(error)),
                (None, output) => Ok(output.unwrap_or(response).to_value()),
            }
        }
    };
    Some(Outcome { result, text: None })
}
