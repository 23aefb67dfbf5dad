use crate::check::{Arguments, check_arguments};
use crate::json::report::{Place, Report};
use crate::json::{Document, Kind, Limits, Node, Value, Writer};
use crate::text::{list, shorten};
use crate::violation::Checked;
use crate::violation::rules::call as rules;
use crate::violation::{Pointer, Violations};

use super::fields::{self, Fields, Structure};
use super::methods::document_methods;
use super::{Form, FunctionDeclaration, Model, ToolDocument, ToolName};

/// A request to run a function. Whether the function exists and takes these arguments,
/// [`ToolDocument::check_call`] checks.
///
/// ```
/// use toolpact_core::model::FunctionCall;
///
/// let call = FunctionCall::builder("get_weather").arg("city", "Oslo").arg("days", 3).build()?;
/// assert_eq!(call.to_json(), r#"{"name":"get_weather","args":{"city":"Oslo","days":3}}"#);
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub struct FunctionCall {
    name: ToolName,
    args: Value,
}

document_methods!(FunctionCall);

/// The identifier that a result repeats. Messages of ADM have it since August 2025; it is no part of
/// what is called.
pub(crate) const CALL_ID: &str = "call_id";

const STRUCTURE: Structure = Structure {
    name: "a function call",
    required: &["name", "args"],
    optional: &[CALL_ID],
    foreign: &[
        ("arguments", "did you mean `args`?"),
        ("input", "did you mean `args`?"),
        ("parameters", "did you mean `args`?"),
    ],
};

impl FunctionCall {
    /// Starts a call.
    pub fn builder(name: impl Into<String>) -> CallBuilder {
        CallBuilder {
            name: name.into(),
            args: Vec::new(),
        }
    }

    /// The function to run.
    #[must_use]
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// The arguments: always an object.
    #[must_use]
    pub fn args(&self) -> &Value {
        &self.args
    }
}

impl Model for FunctionCall {
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let parts = CallParts::read(node, report);
        let name = parts.name.and_then(|node| ToolName::read(node, report));
        Some(Self {
            name: name?,
            args: parts.args?.to_value(),
        })
    }

    fn write(&self, writer: &mut Writer, _: Form) {
        writer.begin_object();
        writer.key("name").string(self.name.as_str());
        writer.key("args").raw(self.args.text());
        writer.end_object();
    }
}

/// A call as far as it could be read. Its name is checked by the caller.
pub(crate) struct CallParts<'a> {
    pub(crate) name: Option<Node<'a>>,
    /// An object.
    pub(crate) args: Option<Node<'a>>,
}

impl<'a> CallParts<'a> {
    pub(crate) fn read(node: Node<'a>, report: &mut Report) -> Self {
        let fields = Fields::read(node, &STRUCTURE, report);
        if let Some(fields) = &fields {
            fields.optional_string(CALL_ID, report);
        }
        let get = |name| fields.as_ref().and_then(|fields| fields.get(name));
        let args =
            get("args").and_then(|field| fields::expect(field.value, Kind::Object, "args", report));
        Self {
            name: get("name").map(|field| field.value),
            args,
        }
    }
}

/// A call that is valid under its declaration.
#[derive(Debug, Clone)]
pub struct CheckedCall<'t> {
    declaration: &'t FunctionDeclaration,
    args: Value,
}

impl<'t> CheckedCall<'t> {
    /// The function to run.
    #[must_use]
    pub fn declaration(&self) -> &'t FunctionDeclaration {
        self.declaration
    }

    /// The arguments as the function gets them: every INTEGER spelled as one, so that `3.0`
    /// arrives as `3`.
    #[must_use]
    pub fn args(&self) -> &Value {
        &self.args
    }
}

impl ToolDocument {
    /// Checks a call: the function exists, required arguments are there, types match at every
    /// depth, enums match exactly, and there are no unknown arguments.
    pub fn check_call(&self, call: &FunctionCall) -> Result<CheckedCall<'_>, Violations> {
        let mut report = Report::new(Limits::default().violations);
        let Some(declaration) = self.get(call.name.as_str()) else {
            let value = call.to_value();
            if let Some(name) = value.root().get("name") {
                self.report_unknown(name, &call.name, &mut report);
            }
            return Err(report.finish_value(&value, &Pointer::root()));
        };
        let args = call.args.root();
        let arguments = check_arguments(args, declaration.parameters(), &mut report);
        if report.errors() > 0 {
            return Err(report.finish_value(&call.args, &Pointer::root().key("args")));
        }
        Ok(CheckedCall {
            declaration,
            args: arguments.normalise(args),
        })
    }

    /// Reads a call from a document and checks it, with every violation in place.
    #[must_use]
    pub fn check_call_document(&self, document: &Document) -> Checked<CheckedCall<'_>> {
        document.check(|node, report| {
            let CallParts { name, args } = CallParts::read(node, report);
            let node = name?;
            let names = self.declarations().map(|d| d.name().as_str());
            let name = ToolName::read_one_of(node, names, report)?;
            let Some(declaration) = self.get(name.as_str()) else {
                self.report_unknown(node, &name, report);
                return None;
            };
            let args = args?;
            let found: Arguments = check_arguments(args, declaration.parameters(), report);
            (report.errors() == 0).then(|| CheckedCall {
                declaration,
                args: found.normalise(args),
            })
        })
    }

    pub(super) fn report_unknown(&self, node: Node<'_>, name: &ToolName, report: &mut Report) {
        let names = || self.declarations().map(|d| d.name().as_str());
        report_unknown(node, name.as_str(), names(), names(), report);
    }
}

/// Reports that no function has this name. Some may have further names that calls can use.
pub(crate) fn report_unknown<'a>(
    node: Node<'_>,
    name: &str,
    names: impl Iterator<Item = &'a str>,
    all_names: impl Iterator<Item = &'a str>,
    report: &mut Report,
) {
    let place = Place::Node(node.id());
    report.add(&rules::UNKNOWN_FUNCTION, place, |finding| {
        let names: Vec<&str> = names.collect();
        let declared = match names.len() {
            1 => "the only declared function",
            _ => "one of the declared functions",
        };
        finding
            .say(format!(
                "expected {declared}, {}, found `{}`",
                list(names.iter().copied()),
                shorten(name)
            ))
            .did_you_mean_one_of(name, all_names);
    });
}

/// Makes a [`FunctionCall`].
#[derive(Debug, Clone)]
#[must_use]
pub struct CallBuilder {
    name: String,
    args: Vec<(String, Value)>,
}

impl CallBuilder {
    /// Adds an argument.
    pub fn arg(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.args.push((name.into(), value.into()));
        self
    }

    /// The call, or everything that is wrong with it.
    pub fn build(self) -> Result<FunctionCall, Violations> {
        let mut writer = Writer::default();
        writer.begin_object();
        writer.key("name").string(&self.name);
        writer.key("args").begin_object();
        for (name, value) in &self.args {
            writer.key(name).raw(value.text());
        }
        writer.end_object().end_object();
        FunctionCall::from_json_within(writer.finish(), &Limits::default().depth(usize::MAX))
    }
}
