//! How a dialect lays out messages, and the code that all layouts share.

use crate::json::report::{Place, Report};
use crate::json::{Kind, Limits, Node, Value, Writer};
use crate::model::{ErrorObject, ToolName, ToolResult, describe, report_mismatch};
use crate::violation::rules::structure as rules;
use crate::{Pointer, Violations};

use super::super::export::Export;
use super::definition_hint::DefinitionHint;
use super::{Answer, CallId, arguments};

/// The message formats of a dialect.
pub(in crate::dialect) struct Form {
    pub(super) call: Shape,
    /// The member with the arguments.
    pub(super) args: &'static str,
    pub(super) result: Shape,
    /// Reads the outcome of a call from the body of a result.
    pub(super) outcome: fn(Node<'_>, DefinitionHint<'_>, &mut Report) -> Option<Outcome>,
    pub(super) write_call: fn(&NamedCall<'_>, &mut Writer),
    pub(super) write_result: fn(&Answer, DefinitionHint<'_>, &mut Writer),
}

/// A call as the dialect has it.
pub(super) struct NamedCall<'a> {
    pub(super) id: Option<&'a CallId>,
    pub(super) name: &'a str,
    pub(super) args: &'a Value,
}

/// Where the parts of a message are.
pub(super) struct Shape {
    /// With its article: `a tool use block`.
    pub(super) name: &'static str,
    /// The members that may contain the body. If none is present, the message is the body.
    pub(super) inside: &'static [&'static str],
    /// The member with the identifier, of the message or of the body.
    pub(super) id: &'static str,
    /// The member that identifies such messages, and its value. It may be missing.
    pub(super) mark: Option<(&'static str, &'static str)>,
}

/// The outcome of a call, and its text if that differs from the content.
pub(super) struct Outcome {
    pub(super) result: Result<Value, ErrorObject>,
    pub(super) text: Option<String>,
}

/// The members that hold arguments in some dialect.
const ARGS: [&str; 4] = ["args", "arguments", "input", "parameters"];

type CallParts = (Option<CallId>, ToolName, Value);

impl Form {
    pub(super) fn read_call(
        &self,
        message: &Value,
        tools: Option<&Export>,
    ) -> Result<CallParts, Violations> {
        let mut report = Report::new(Limits::default().violations);
        let parts = self.call_parts(message.root(), tools, &mut report);
        let mut said = match report.errors() {
            0 => Violations::default(),
            _ => report.finish_value(message, &Pointer::root()),
        };
        match parts {
            Ok(Some(parts)) if said.is_empty() => Ok(parts),
            Ok(_) => Err(said),
            Err(of_text) => {
                said.omitted_errors += of_text.omitted_errors;
                said.list.extend(of_text.list);
                Err(said)
            }
        }
    }

    fn call_parts(
        &self,
        message: Node<'_>,
        tools: Option<&Export>,
        report: &mut Report,
    ) -> Result<Option<CallParts>, Violations> {
        let Some((body, id)) = self.call.open(message, report) else {
            return Ok(None);
        };
        let name = match body.get("name") {
            Some(name) => read_name(name, tools, report),
            None => missing("name", self.call.name, body, report),
        };
        let args = body.get(self.args);
        if args.is_none() {
            self.report_misplaced(body, report);
        }
        let args = arguments::read(args, self.args, report)?;
        Ok(name.zip(args).map(|(name, args)| (id, name, args)))
    }

    /// Reports arguments under another dialect's key, which would otherwise be read as none.
    pub(super) fn report_misplaced(&self, body: Node<'_>, report: &mut Report) {
        let elsewhere = body.entries().find(|(key, _)| {
            let key = key.as_str().unwrap_or_default();
            ARGS.contains(&&*key)
        });
        if let Some((key, _)) = elsewhere {
            report.add(&rules::UNKNOWN_FIELD, Place::Key(key.id()), |finding| {
                finding.say(format!(
                    "expected the arguments of {} in `{}`, found `{}`",
                    self.call.name,
                    self.args,
                    key.as_str().unwrap_or_default()
                ));
            });
        }
    }

    pub(super) fn read_result(
        &self,
        message: &Value,
        name: Option<&ToolName>,
        tools: Option<&Export>,
    ) -> Result<Answer, Violations> {
        let mut report = Report::new(Limits::default().violations);
        let answer = self.answer(message.root(), name, tools, &mut report);
        answer
            .filter(|_| report.errors() == 0)
            .ok_or_else(|| report.finish_value(message, &Pointer::root()))
    }

    fn answer(
        &self,
        message: Node<'_>,
        name: Option<&ToolName>,
        tools: Option<&Export>,
        report: &mut Report,
    ) -> Option<Answer> {
        let (body, id) = self.result.open(message, report)?;
        let own = body.get("name").filter(|name| name.kind() != Kind::Null);
        let name = match (own, name) {
            (Some(node), expected) => {
                let own = read_name(node, tools, report)?;
                if let Some(expected) = expected.filter(|expected| **expected != own) {
                    report_mismatch(node, &own, expected, report);
                }
                own
            }
            (None, Some(name)) => name.clone(),
            (None, None) => return missing("name", self.result.name, body, report),
        };
        let told = DefinitionHint::about(&name, tools);
        let Outcome { result, text } = (self.outcome)(body, told, report)?;
        let result = match result {
            Ok(content) => ToolResult::Success { name, content },
            Err(error) => ToolResult::Error { name, error },
        };
        Some(Answer { id, result, text })
    }
}

impl Shape {
    /// The body and the identifier, if the message has this shape.
    pub(super) fn open<'a>(
        &self,
        message: Node<'a>,
        report: &mut Report,
    ) -> Option<(Node<'a>, Option<CallId>)> {
        if message.kind() != Kind::Object {
            report.add(&rules::WRONG_TYPE, Place::Node(message.id()), |finding| {
                finding.say(format!(
                    "expected {}, which is an object, found {}",
                    self.name,
                    describe(message)
                ));
            });
            return None;
        }
        self.check_mark(message, report)?;
        let inside = self.inside.iter().find_map(|key| message.get(key));
        let body = inside
            .filter(|body| body.kind() == Kind::Object)
            .unwrap_or(message);
        let id = message.get(self.id).or_else(|| body.get(self.id));
        Some((body, CallId::read(id, self.id, report)))
    }

    /// Refuses a message that is marked as something else.
    fn check_mark(&self, message: Node<'_>, report: &mut Report) -> Option<()> {
        let Some((key, word)) = self.mark else {
            return Some(());
        };
        let mark = message.get(key).filter(|mark| mark.kind() != Kind::Null);
        let Some(mark) = mark.filter(|mark| mark.as_str().as_deref() != Some(word)) else {
            return Some(());
        };
        report.add(&rules::WRONG_TYPE, Place::Node(mark.id()), |finding| {
            finding.say(format!(
                "expected `{key}` of {} to be `{word}`, found {}",
                self.name,
                describe(mark)
            ));
        });
        None
    }
}

/// The name that the contract of a tool has, which a message may call by its name in the dialect.
fn read_name(node: Node<'_>, tools: Option<&Export>, report: &mut Report) -> Option<ToolName> {
    let name = node.as_str();
    let tool = tools.zip(name).and_then(|(tools, name)| tools.get(&name));
    match tool {
        Some(tool) => Some(tool.contract().name().clone()),
        None => ToolName::read(node, report),
    }
}

/// Reports a missing member.
pub(super) fn missing<T>(key: &str, of: &str, body: Node<'_>, report: &mut Report) -> Option<T> {
    report.add(&rules::MISSING_FIELD, Place::Node(body.id()), |finding| {
        finding.say(format!("expected the field `{key}` in {of}, found none"));
    });
    None
}

/// Writes an identifier, if there is one, as a string, which all dialects but MCP use.
pub(super) fn write_id(key: &str, id: Option<&CallId>, writer: &mut Writer) {
    if let Some(id) = id {
        writer.key(key).string(id.as_str());
    }
}
