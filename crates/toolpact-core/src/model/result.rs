use crate::json::report::{Edit, Place, Report};
use crate::json::{Node, Value, Writer};
use crate::text::shorten;
use crate::violation::Rule;
use crate::violation::rules::result as rules;

use super::call::CALL_ID;
use super::fields::{Fields, Structure, describe};
use super::methods::document_methods;
use super::{ErrorObject, Form, Model, ToolName};

/// The outcome of a call: a success with content, or an error; never both.
///
/// ```
/// use toolpact_core::model::ToolResult;
///
/// let result = ToolResult::from_json(r#"{"name": "ping", "status": "SUCCESS", "content": null}"#)?;
/// match &result {
///     ToolResult::Success { name, content } => assert_eq!(content.text(), "null"),
///     ToolResult::Error { name, error } => unreachable!("{}", error.message()),
/// }
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub enum ToolResult {
    /// The function did what it was asked to.
    Success {
        /// The function that ran.
        name: ToolName,
        /// What it returned, null included.
        content: Value,
    },
    /// The function failed.
    Error {
        /// The function that ran.
        name: ToolName,
        /// Why it failed.
        error: ErrorObject,
    },
}

document_methods!(ToolResult);

const STRUCTURE: Structure = Structure {
    name: "a tool result",
    required: &["name", "status"],
    optional: &["content", "error", CALL_ID],
    foreign: &[],
};

impl ToolResult {
    /// The function that ran.
    #[must_use]
    pub fn name(&self) -> &ToolName {
        match self {
            ToolResult::Success { name, .. } | ToolResult::Error { name, .. } => name,
        }
    }
}

pub(crate) fn report_mismatch(
    node: Node<'_>,
    found: impl AsRef<str>,
    call: impl AsRef<str>,
    report: &mut Report,
) {
    report.add(&rules::NAME_MISMATCH, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected the name of the call, `{}`, found `{}`",
            shorten(call.as_ref()),
            shorten(found.as_ref())
        ));
    });
}

/// A result as far as it could be read. Its name is checked by the caller.
pub(crate) struct ResultParts<'a> {
    pub(crate) name: Option<Node<'a>>,
    pub(crate) arm: Option<Arm<'a>>,
}

/// The outcome of a call.
pub(crate) enum Arm<'a> {
    /// The content.
    Success(Node<'a>),
    Error(ErrorObject),
}

impl<'a> ResultParts<'a> {
    pub(crate) fn read(node: Node<'a>, report: &mut Report) -> Self {
        let fields = Fields::read(node, &STRUCTURE, report);
        if let Some(fields) = &fields {
            fields.optional_string(CALL_ID, report);
        }
        let name = fields.as_ref().and_then(|fields| fields.get("name"));
        Self {
            name: name.map(|field| field.value),
            arm: fields.and_then(|fields| read_arm(&fields, report)),
        }
    }
}

fn read_arm<'a>(fields: &Fields<'a>, report: &mut Report) -> Option<Arm<'a>> {
    match status(fields, report)? {
        Status::Success => {
            forbid(fields, "error", &rules::ERROR_ON_SUCCESS, report);
            demand(fields, "content", &rules::CONTENT_MISSING, report).map(Arm::Success)
        }
        Status::Error => {
            forbid(fields, "content", &rules::CONTENT_ON_ERROR, report);
            let error = demand(fields, "error", &rules::ERROR_MISSING, report)?;
            ErrorObject::read(error, report).map(Arm::Error)
        }
    }
}

impl Model for ToolResult {
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let parts = ResultParts::read(node, report);
        let name = parts.name.and_then(|node| ToolName::read(node, report));
        Some(match parts.arm? {
            Arm::Success(content) => ToolResult::Success {
                name: name?,
                content: content.to_value(),
            },
            Arm::Error(error) => ToolResult::Error { name: name?, error },
        })
    }

    fn write(&self, writer: &mut Writer, form: Form) {
        writer.begin_object();
        writer.key("name").string(self.name().as_str());
        match self {
            ToolResult::Success { content, .. } => {
                writer.key("status").string("SUCCESS");
                writer.key("content").raw(content.text());
            }
            ToolResult::Error { error, .. } => {
                writer.key("status").string("ERROR").key("error");
                error.write(writer, form);
            }
        }
        writer.end_object();
    }
}

enum Status {
    Success,
    Error,
}

fn status(fields: &Fields<'_>, report: &mut Report) -> Option<Status> {
    let node = fields.get("status")?.value;
    let found = node.as_str().unwrap_or_default();
    let upper = found.to_ascii_uppercase();
    let meant = match &*upper {
        "SUCCESS" => Some(Status::Success),
        "ERROR" => Some(Status::Error),
        _ => None,
    };
    if found == upper && meant.is_some() {
        return meant;
    }
    report.add(&rules::STATUS, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected `SUCCESS` or `ERROR`, found {}",
            describe(node)
        ));
        if meant.is_some() {
            let edit = Edit::Replace(node.id(), format!("\"{upper}\""));
            finding.fix(format!("did you mean `{upper}`?"), edit);
        } else {
            finding.did_you_mean_one_of(&found, ["SUCCESS", "ERROR"]);
        }
    });
    // The rest is checked as what was meant, so that all mistakes are reported at once.
    meant
}

fn demand<'a>(
    fields: &Fields<'a>,
    name: &str,
    rule: &'static Rule,
    report: &mut Report,
) -> Option<Node<'a>> {
    let field = fields.get(name);
    if field.is_none() {
        let status = fields.get("status")?;
        report.add(rule, Place::Node(status.value.id()), |finding| {
            finding.say(format!(
                "expected `{name}` beside the status {}, found none",
                status.value.text()
            ));
        });
    }
    field.map(|field| field.value)
}

/// The other field must not be there, not even as null.
fn forbid(fields: &Fields<'_>, name: &str, rule: &'static Rule, report: &mut Report) {
    let (Some(field), Some(status)) = (fields.get(name), fields.get("status")) else {
        return;
    };
    report.add(rule, Place::Key(field.key.id()), |finding| {
        finding
            .say(format!(
                "expected no `{name}` beside the status {}, found {}",
                status.value.text(),
                describe(field.value)
            ))
            .advise("leave it out, or change the status");
    });
}
