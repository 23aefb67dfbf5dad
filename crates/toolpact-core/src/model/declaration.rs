use crate::Violations;
use crate::json::report::{Place, Report};
use crate::json::{Node, Value, Writer};
use crate::text::shorten;
use crate::violation::rules::declaration as rules;

use super::fields::{Fields, Structure};
use super::methods::document_methods;
use super::{Form, Model, Schema, SchemaBuilder, SchemaType, ToolName};

/// A callable function: its name, what it does, and what it takes.
///
/// ```
/// use toolpact_core::model::{FunctionDeclaration, Schema};
///
/// let declaration = FunctionDeclaration::builder("get_weather")
///     .description("Returns the forecast for a city.")
///     .parameters(
///         Schema::object()
///             .property("city", Schema::string().description("For example Oslo"))
///             .property("days", Schema::integer())
///             .required(["city"]),
///     )
///     .build()?;
/// assert_eq!(declaration.name().as_str(), "get_weather");
///
/// let violations = FunctionDeclaration::builder("get weather")
///     .parameters(Schema::object().required(["city"]))
///     .build()
///     .unwrap_err();
/// let codes: Vec<_> = violations.iter().map(|v| v.code()).collect();
/// assert_eq!(codes, ["missing-field", "name-pattern", "schema-required-unknown"]);
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub struct FunctionDeclaration {
    name: ToolName,
    description: Box<str>,
    parameters: Schema,
}

document_methods!(FunctionDeclaration);

const STRUCTURE: Structure = Structure {
    name: "a function declaration",
    required: &["name", "description", "parameters"],
    optional: &[],
    foreign: &[],
};

/// The recommended limit of ADM 3.2.3.
const LONG_DESCRIPTION: usize = 1_000;

impl FunctionDeclaration {
    /// Starts a declaration.
    pub fn builder(name: impl Into<String>) -> DeclarationBuilder {
        DeclarationBuilder {
            name: name.into(),
            description: None,
            parameters: None,
        }
    }

    /// The name that calls use.
    #[must_use]
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// What the function does, for models and people.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What the function takes.
    #[must_use]
    pub fn parameters(&self) -> &Schema {
        &self.parameters
    }
}

impl Model for FunctionDeclaration {
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let fields = Fields::read(node, &STRUCTURE, report)?;
        let name = fields
            .get("name")
            .and_then(|name| ToolName::read(name.value, report));
        let description = read_description(&fields, report);
        let parameters = fields.get("parameters").and_then(|field| {
            let schema = Schema::read(field.value, report)?;
            warn_unless_object(field.value, &schema, report);
            Some(schema)
        });
        Some(Self {
            name: name?,
            description: description?,
            parameters: parameters?,
        })
    }

    fn write(&self, writer: &mut Writer, form: Form) {
        writer.begin_object();
        writer.key("name").string(self.name.as_str());
        writer.key("description").string(&self.description);
        writer.key("parameters");
        self.parameters.write(writer, form);
        writer.end_object();
    }
}

/// The required field `description`.
pub(crate) fn read_description(fields: &Fields<'_>, report: &mut Report) -> Option<Box<str>> {
    let node = fields.get("description")?.value;
    let text = fields.string("description", report)?;
    if text.trim().is_empty() {
        report.add(
            &rules::DESCRIPTION_EMPTY,
            Place::Node(node.id()),
            |finding| {
                finding
                .say("expected `description` to say something, found only white space or nothing")
                .advise("say what the function does in one to three sentences");
            },
        );
        return None;
    }
    let length = text.chars().count();
    if length > LONG_DESCRIPTION {
        report.add(
            &rules::DESCRIPTION_LONG,
            Place::Node(node.id()),
            |finding| {
                finding.say(format!(
                "expected `description` to have at most 1,000 characters, found {length}: \"{}\"",
                shorten(&text)
            ));
            },
        );
    }
    Some(text.into())
}

pub(crate) fn warn_unless_object(node: Node<'_>, schema: &Schema, report: &mut Report) {
    let found = schema.root().schema_type();
    if found != SchemaType::Object {
        report.add(&rules::ROOT_NOT_OBJECT, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected the parameters to be an OBJECT, found {found}: no call could satisfy them"
            ));
        });
    }
}

/// Makes a [`FunctionDeclaration`].
#[derive(Debug, Clone)]
#[must_use]
pub struct DeclarationBuilder {
    name: String,
    description: Option<String>,
    parameters: Option<SchemaBuilder>,
}

impl DeclarationBuilder {
    /// What the function does.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// What the function takes: a schema, or a builder of one.
    pub fn parameters(mut self, schema: impl Into<SchemaBuilder>) -> Self {
        self.parameters = Some(schema.into());
        self
    }

    /// The declaration, or everything that is wrong with it.
    pub fn build(self) -> Result<FunctionDeclaration, Violations> {
        let mut writer = Writer::default();
        self.write(&mut writer);
        FunctionDeclaration::from_value(&Value::trusted(writer))
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.begin_object();
        writer.key("name").string(&self.name);
        if let Some(description) = &self.description {
            writer.key("description").string(description);
        }
        if let Some(parameters) = &self.parameters {
            writer.key("parameters");
            parameters.write(writer);
        }
        writer.end_object();
    }
}

impl From<FunctionDeclaration> for DeclarationBuilder {
    fn from(declaration: FunctionDeclaration) -> Self {
        Self {
            name: declaration.name.to_string(),
            description: Some(declaration.description.into()),
            parameters: Some(declaration.parameters.into()),
        }
    }
}
