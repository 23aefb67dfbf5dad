//! Results as text, for dialects that support nothing else.

use std::borrow::Cow;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value, Writer};
use crate::model::describe;
use crate::violation::rules::structure as rules;

use super::definition_hint::DefinitionHint;
use super::failure;
use super::shape::Outcome;

/// Content as text: a string unquoted, everything else as JSON.
pub(super) fn of(content: &Value) -> Cow<'_, str> {
    let text = content.root().as_str();
    text.unwrap_or_else(|| content.text().into())
}

/// The inverse. Text that is not valid JSON is a string.
pub(super) fn read(text: &str, told: DefinitionHint<'_>) -> Outcome {
    let value = Value::from_json(text).ok();
    let result = match value {
        Some(value) => match failure::marked(value.root()) {
            Some(error) => Err(error),
            None if told.only_text() => Ok(text.into()),
            None => Ok(value),
        },
        None => Ok(text.into()),
    };
    Outcome { result, text: None }
}

/// Reads a failure that was sent as text.
pub(super) fn read_failure(text: &str) -> Outcome {
    let ours = Value::from_json(text).ok();
    let ours = ours.and_then(|value| failure::marked(value.root()));
    Outcome {
        result: Err(ours.unwrap_or_else(|| failure::of_text(text))),
        text: None,
    }
}

/// The content of a message.
pub(super) enum Carried {
    /// A string, or only text blocks, joined by newlines.
    Text(String),
    /// Images and other blocks: all blocks, unchanged.
    Blocks(Value),
}

impl Carried {
    /// Reads a string or an array of blocks from the member `key`. `None` after a report.
    pub(super) fn read(node: Node<'_>, key: &str, report: &mut Report) -> Option<Self> {
        if let Some(text) = node.as_str() {
            return Some(Carried::Text(text.into_owned()));
        }
        if node.kind() != Kind::Array {
            report.add(&rules::WRONG_TYPE, Place::Node(node.id()), |finding| {
                finding.say(format!(
                    "expected `{key}` to be a string or an array of blocks, found {}",
                    describe(node)
                ));
            });
            return None;
        }
        let texts: Option<Vec<Cow<'_, str>>> = node.items().map(text_of).collect();
        Some(match texts {
            Some(texts) => Carried::Text(texts.join("\n")),
            None => Carried::Blocks(node.to_value()),
        })
    }

    /// The text, including text blocks between other blocks, if there is any. White space is none.
    pub(super) fn into_text(self) -> Option<String> {
        let text = match self {
            Carried::Text(text) => text,
            Carried::Blocks(blocks) => texts_in(&blocks),
        };
        (!text.trim().is_empty()).then_some(text)
    }

    /// The outcome, in a dialect where the content is all there is.
    pub(super) fn outcome(self, failed: bool, told: DefinitionHint<'_>) -> Outcome {
        match (self, failed) {
            (Carried::Text(text), false) => read(&text, told),
            (Carried::Text(text), true) => read_failure(&text),
            (Carried::Blocks(blocks), false) => Outcome {
                result: Ok(blocks),
                text: None,
            },
            (Carried::Blocks(blocks), true) => read_failure(&texts_in(&blocks)),
        }
    }
}

/// The text of a block: type `text`, or `input_text` and `output_text` in OpenAI.
fn text_of(block: Node<'_>) -> Option<Cow<'_, str>> {
    let kind = block.get("type")?.as_str()?;
    let is_text = ["text", "input_text", "output_text"].contains(&&*kind);
    block.get("text").filter(|_| is_text)?.as_str()
}

fn texts_in(blocks: &Value) -> String {
    let texts: Vec<Cow<'_, str>> = blocks.root().items().filter_map(text_of).collect();
    texts.join("\n")
}

/// Writes an array with one text block, as Anthropic and MCP have it.
pub(super) fn write_block(text: &str, writer: &mut Writer) {
    writer.begin_array().begin_object();
    writer.key("type").string("text").key("text").string(text);
    writer.end_object().end_array();
}
