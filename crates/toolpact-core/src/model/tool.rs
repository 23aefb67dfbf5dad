use indexmap::IndexMap;
use indexmap::map::Entry;

use crate::Violations;
use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value, Writer};
use crate::violation::rules::declaration as rules;

use super::fields::{self, Fields, Structure};
use super::methods::document_methods;
use super::{DeclarationBuilder, Form, FunctionDeclaration, Model, ToolName};

/// One or more functions, each name once.
///
/// ```
/// use toolpact_core::model::{FunctionDeclaration, Schema, ToolDocument};
///
/// let tool = ToolDocument::builder()
///     .function(
///         FunctionDeclaration::builder("ping")
///             .description("Checks the connection.")
///             .parameters(Schema::object()),
///     )
///     .build()?;
/// assert!(tool.get("ping").is_some());
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub struct ToolDocument {
    declarations: IndexMap<ToolName, FunctionDeclaration>,
}

document_methods!(ToolDocument);

const STRUCTURE: Structure = Structure {
    name: "a tool",
    required: &["function_declarations"],
    optional: &[],
    foreign: &[],
};

impl ToolDocument {
    /// Starts a tool.
    pub fn builder() -> ToolBuilder {
        ToolBuilder {
            functions: Vec::new(),
        }
    }

    /// The functions in the order they were declared.
    pub fn declarations(&self) -> impl ExactSizeIterator<Item = &FunctionDeclaration> {
        self.declarations.values()
    }

    /// The function of this name, compared exactly.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FunctionDeclaration> {
        self.declarations.get(name)
    }
}

impl Model for ToolDocument {
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let fields = Fields::read(node, &STRUCTURE, report)?;
        let list = fields.get("function_declarations")?.value;
        let list = fields::expect(list, Kind::Array, "function_declarations", report)?;
        let mut declarations = IndexMap::new();
        let mut seen = std::collections::HashSet::new();
        let mut complete = true;
        for item in list.items() {
            duplicate_name(item, &mut seen, report);
            match FunctionDeclaration::read(item, report) {
                Some(function) => match declarations.entry(function.name().clone()) {
                    Entry::Vacant(vacant) => drop(vacant.insert(function)),
                    Entry::Occupied(_) => complete = false,
                },
                None => complete = false,
            }
        }
        if list.items().next().is_none() {
            report.add(&rules::TOOL_EMPTY, Place::Node(list.id()), |finding| {
                finding.say("expected at least one function declaration, found none");
            });
            return None;
        }
        complete.then_some(Self { declarations })
    }

    fn write(&self, writer: &mut Writer, form: Form) {
        writer
            .begin_object()
            .key("function_declarations")
            .begin_array();
        for declaration in self.declarations.values() {
            declaration.write(writer, form);
        }
        writer.end_array().end_object();
    }
}

/// Looks at the name only, so that a clash is seen even if the rest of a declaration is wrong.
fn duplicate_name<'a>(
    item: Node<'a>,
    seen: &mut std::collections::HashSet<std::borrow::Cow<'a, str>>,
    report: &mut Report,
) {
    let Some(node) = item.get("name") else { return };
    let Some(name) = node.as_str() else { return };
    if let Some(name) = seen.replace(name) {
        report.add(&rules::DUPLICATE_NAME, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected each function name once in a tool, found `{}` again",
                crate::text::shorten(&name)
            ));
        });
    }
}

/// Makes a [`ToolDocument`].
#[derive(Debug, Clone)]
#[must_use]
pub struct ToolBuilder {
    functions: Vec<DeclarationBuilder>,
}

impl ToolBuilder {
    /// Adds a function: a declaration, or a builder of one.
    pub fn function(mut self, function: impl Into<DeclarationBuilder>) -> Self {
        self.functions.push(function.into());
        self
    }

    /// The tool, or everything that is wrong with it.
    pub fn build(self) -> Result<ToolDocument, Violations> {
        let mut writer = Writer::default();
        writer
            .begin_object()
            .key("function_declarations")
            .begin_array();
        for function in &self.functions {
            function.write(&mut writer);
        }
        writer.end_array().end_object();
        ToolDocument::from_value(&Value::trusted(writer))
    }
}
