use std::time::Duration;

use crate::adl::AdlTool;
use crate::json::report::Report;
use crate::json::{Node, Writer};
use crate::model::{
    Fields, Form, FunctionDeclaration, Model, Structure, ToolName, document_methods,
    read_description,
};
use crate::returns::{Lift, ReturnType, Returns};
use crate::schema::JsonSchema;
use crate::violation::Violations;

use super::returns::Promise;
use super::{Effects, Parameters, Run, TextTemplate, lift, original_name, timeout};

/// Everything promised about one tool.
///
/// Contracts are equal if they promise the same; how they are [run](Contract::run), and how results are
/// [made](Contract::lift) of what that gives, does not count.
///
/// ```
/// use toolpact_core::contract::Contract;
/// use toolpact_core::returns::{Returns, StandardType};
///
/// let contract = Contract::from_json(r#"{
///     "name": "slug_of",
///     "description": "Makes a slug of a title.",
///     "parameters": {"type": "object", "properties": {"title": {"type": "string"}}},
///     "returns": "StringValue",
///     "run": {"command": ["python3", "slug.py"]}
/// }"#)?;
/// let standard = StandardType::StringValue;
/// assert_eq!(contract.returns(), &Returns::Standard { standard, refinement: None });
/// assert!(!contract.to_canonical().contains("run"));
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub struct Contract {
    name: ToolName,
    original_name: Option<Box<str>>,
    description: Box<str>,
    parameters: Parameters,
    promise: Promise,
    text: Option<TextTemplate>,
    effects: Effects,
    timeout_ms: Option<u32>,
    lift: Lift,
    run: Option<Run>,
}

document_methods!(Contract);

const STRUCTURE: Structure = Structure {
    name: "the contract of a tool",
    required: &["name", "description", "parameters"],
    optional: &[
        "original_name",
        "returns",
        "text",
        "effects",
        "timeout_ms",
        "lift",
        "run",
    ],
    foreign: &[
        ("inputSchema", "write `parameters`"),
        ("input_schema", "write `parameters`"),
        ("outputSchema", "write `returns`"),
        ("output_schema", "write `returns`"),
        ("annotations", "write `effects`"),
        ("timeout", "write `timeout_ms`, in milliseconds"),
        ("command", "write it inside of `run`"),
    ],
};

impl Contract {
    /// The name that calls use.
    #[must_use]
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// The name in the document that the tool is from, where a contract cannot have it: `math.sum`.
    /// Dialects that allow it are given it back, and calls may use it.
    #[must_use]
    pub fn original_name(&self) -> Option<&str> {
        self.original_name.as_deref()
    }

    /// Whether calls of this name mean this tool.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name.as_str() == name || self.original_name() == Some(name)
    }

    /// The same contract under another name, such as the one that a session gives a tool. What is put
    /// in front of the name is put in front of the original name, too; else that is gone.
    #[must_use]
    pub fn renamed(&self, name: ToolName) -> Self {
        let prefix = name.as_str().strip_suffix(self.name.as_str());
        let original = self.original_name.as_ref().zip(prefix);
        Self {
            original_name: original.map(|(original, prefix)| format!("{prefix}{original}").into()),
            name,
            ..self.clone()
        }
    }

    /// The same contract without the name in the document that it is from.
    pub(crate) fn without_original_name(self) -> Self {
        Self {
            original_name: None,
            ..self
        }
    }

    /// The same contract with the name that its source has for it, unless that is its name, or one
    /// that cannot be kept.
    pub(crate) fn with_source_name(self, name: &str) -> Self {
        let is_kept = self.name.as_str() != name && original_name::is_one(name);
        Self {
            original_name: is_kept.then(|| name.into()),
            ..self
        }
    }

    /// The same contract with schemas that mean the same as its own, and share their definitions.
    pub(crate) fn sharing(
        mut self,
        parameters: Option<JsonSchema>,
        returns: Option<JsonSchema>,
    ) -> Self {
        if let Some(schema) = parameters {
            self.parameters = Parameters::JsonSchema(schema);
        }
        if let Some(schema) = returns {
            self.promise = Promise::of_schema(schema);
        }
        self
    }

    /// What the tool does, for models and people.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What the tool takes.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What the tool promises to return.
    #[must_use]
    pub fn returns(&self) -> &Returns {
        self.promise.returns()
    }

    /// The promise with what is said about it, if it is written as a return type object.
    #[must_use]
    pub fn return_type(&self) -> Option<&ReturnType> {
        self.promise.object()
    }

    /// How a result reads to a model.
    #[must_use]
    pub fn text(&self) -> Option<&TextTemplate> {
        self.text.as_ref()
    }

    /// What the tool does to the world.
    #[must_use]
    pub fn effects(&self) -> Effects {
        self.effects
    }

    /// How long a call may take.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        let ms = self.timeout_ms?;
        Some(Duration::from_millis(ms.into()))
    }

    /// How results are made of what the tool gives. No part of what is promised.
    #[must_use]
    pub fn lift(&self) -> &Lift {
        &self.lift
    }

    /// How the tool is executed. No part of what is promised.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }
}

/// ADM says nothing about results, so they are undeclared.
impl From<FunctionDeclaration> for Contract {
    fn from(declaration: FunctionDeclaration) -> Self {
        Self {
            name: declaration.name().clone(),
            original_name: None,
            description: declaration.description().into(),
            parameters: Parameters::Adm(declaration.parameters().clone()),
            promise: Promise::undeclared(),
            text: None,
            effects: Effects::default(),
            timeout_ms: None,
            lift: Lift::default(),
            run: None,
        }
    }
}

/// Fails if the tool has a name that no call can use. What ADL 1.0 says about results is not enforced,
/// and a contract document cannot say it, so there it is undeclared.
impl TryFrom<&AdlTool> for Contract {
    type Error = Violations;

    fn try_from(tool: &AdlTool) -> Result<Self, Violations> {
        Ok(Self {
            name: ToolName::new(tool.name())?,
            original_name: None,
            description: tool.description().into(),
            parameters: Parameters::JsonSchema(tool.parameters().clone()),
            promise: Promise::of_adl(tool),
            text: None,
            effects: Effects::default(),
            timeout_ms: None,
            lift: Lift::default(),
            run: None,
        })
    }
}

impl Model for Contract {
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let fields = Fields::read(node, &STRUCTURE, report)?;
        let name = fields
            .get("name")
            .and_then(|name| ToolName::read(name.value, report));
        let original_name = original_name::read(&fields, report);
        let description = read_description(&fields, report);
        let parameters = fields
            .get("parameters")
            .and_then(|field| Parameters::read(field.value, report));
        let promise = Promise::read(node, &fields, report);
        let text = fields
            .optional("text", report)
            .and_then(|node| TextTemplate::read(node, report));
        let effects = fields
            .optional("effects", report)
            .and_then(|node| Effects::read(node, report));
        let timeout_ms = timeout::read(&fields, report);
        let lift = lift::read(&fields, promise.as_ref().map(Promise::returns), report);
        let run = fields
            .optional("run", report)
            .and_then(|node| Run::read(node, report));
        // Where an optional field is wrong, its error keeps this from being used.
        Some(Self {
            name: name?,
            original_name,
            description: description?,
            parameters: parameters?,
            promise: promise?,
            text,
            effects: effects.unwrap_or_default(),
            timeout_ms,
            lift: lift.unwrap_or_default(),
            run,
        })
    }

    fn write(&self, writer: &mut Writer, form: Form) {
        writer.begin_object();
        writer.key("name").string(self.name.as_str());
        if let Some(original) = &self.original_name {
            writer.key("original_name").string(original);
        }
        writer.key("description").string(&self.description);
        self.parameters.write(writer.key("parameters"), form);
        self.promise.write(writer, form);
        if let Some(text) = &self.text {
            writer.key("text").string(text.as_str());
        }
        self.effects.write(writer);
        if let Some(ms) = self.timeout_ms {
            writer.key("timeout_ms").raw(&ms.to_string());
        }
        if form == Form::Faithful {
            lift::write(&self.lift, writer);
        }
        if let (Some(run), Form::Faithful) = (&self.run, form) {
            run.write(writer.key("run"));
        }
        writer.end_object();
    }
}
