use crate::adl::AdlTool;
use crate::json::report::{Edit, Place, Report};
use crate::json::{Kind, Node, Value, Writer};
use crate::model::{Fields, Form, Model as _};
use crate::returns::{
    Level, ReturnType, Returns, StandardType, not_a_promise, read_in_contract, read_schema_alone,
};
use crate::schema::{JsonSchema, standard_reference};
use crate::violation::rules::contract as rules;
use crate::violation::rules::returns as returns_rules;

/// The field `returns`: what is promised, and how that was said.
#[derive(Clone)]
pub(super) struct Promise {
    returns: Returns,
    object: Option<ReturnType>,
    /// As it was written; `None` if nothing is promised, or only a schema.
    source: Option<Value>,
}

impl Promise {
    pub(super) fn undeclared() -> Self {
        Self {
            returns: Returns::Undeclared,
            object: None,
            source: None,
        }
    }

    /// A schema and nothing else.
    pub(super) fn of_schema(schema: JsonSchema) -> Self {
        Self {
            returns: Returns::Custom(schema.clone()),
            object: Some(ReturnType::from(schema)),
            source: None,
        }
    }

    /// What the definition of an agent's tool says of its results.
    pub(super) fn of_adl(tool: &AdlTool) -> Self {
        let source = match tool.returns() {
            Returns::Legacy { .. } | Returns::Undeclared => None,
            _ => tool.source().root().get("returns").map(Node::to_value),
        };
        Self {
            returns: tool.returns().clone(),
            object: tool.return_type().cloned(),
            source,
        }
    }

    pub(super) fn returns(&self) -> &Returns {
        &self.returns
    }

    pub(super) fn object(&self) -> Option<&ReturnType> {
        self.object.as_ref()
    }

    pub(super) fn read(
        contract: Node<'_>,
        fields: &Fields<'_>,
        report: &mut Report,
    ) -> Option<Self> {
        if fields.get("returns").is_none() {
            warn_undeclared(contract, report);
            return Some(Self::undeclared());
        }
        let node = fields.optional("returns", report)?;
        let (returns, object) = match node.kind() {
            Kind::String => (read_word(node, report)?, None),
            Kind::Object if is_schema(node) => (read_schema(node, report)?, None),
            Kind::Object => {
                let object = read_in_contract(node, report)?;
                (object.returns().clone(), Some(object))
            }
            _ => {
                not_a_promise(node, report);
                return None;
            }
        };
        Some(Self {
            returns,
            object,
            source: Some(node.to_value()),
        })
    }

    /// Writes the field with its key, if there is one.
    pub(super) fn write(&self, writer: &mut Writer, form: Form) {
        // A contract has no words for what an agent of ADL 1.0 says of its results.
        if self.source.is_none() && !matches!(self.returns, Returns::Custom(_)) {
            return;
        }
        writer.key("returns");
        match (form, &self.source, &self.object) {
            (Form::Faithful, Some(source), _) => drop(writer.raw(source.text())),
            (Form::Faithful, None, Some(object)) => object.write(writer, form),
            _ => self.write_canonical(writer),
        }
    }

    /// A word where a word says it all, and an object otherwise: a bare schema could be taken for
    /// a return type object if it has a keyword `schema`.
    fn write_canonical(&self, writer: &mut Writer) {
        let (word, schema) = match &self.returns {
            Returns::Standard {
                standard,
                refinement,
            } => (standard.name(), refinement.as_ref()),
            Returns::Custom(schema) => ("Custom", Some(schema)),
            Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared => ("opaque", None),
        };
        let object = self.object.as_ref().filter(|object| says_more(object));
        if schema.is_none() && object.is_none() {
            writer.string(word);
            return;
        }
        writer.begin_object();
        writer.key("type").string(word);
        if let Some(schema) = schema {
            writer.key("schema").raw(&schema.to_canonical());
        }
        if let Some(object) = object {
            write_details(object, writer);
        }
        writer.end_object();
    }
}

/// A JSON Schema has no `schema`, and its `type` is a JSON type or a list of them. Anything else is
/// a return type object, or is meant to be one.
fn is_schema(node: Node<'_>) -> bool {
    const TYPES: [&str; 7] = [
        "array", "boolean", "integer", "null", "number", "object", "string",
    ];
    let word = node.get("type").and_then(Node::as_str);
    node.get("schema").is_none() && word.is_none_or(|word| TYPES.contains(&&*word))
}

fn read_word(node: Node<'_>, report: &mut Report) -> Option<Returns> {
    let word = node.as_str()?;
    if word == "opaque" {
        return Some(Returns::Opaque);
    }
    match standard_reference(&word) {
        Some(standard) if standard.name() == word => Some(Returns::Standard {
            standard,
            refinement: None,
        }),
        Some(standard) => {
            report_reference(node, standard, report);
            None
        }
        None => {
            not_a_promise(node, report);
            None
        }
    }
}

/// References are for `$ref`; here the name is enough.
fn report_reference(node: Node<'_>, standard: StandardType, report: &mut Report) {
    let place = Place::Node(node.id());
    report.add(&returns_rules::TYPE_UNKNOWN, place, |finding| {
        let edit = Edit::Replace(node.id(), format!("\"{standard}\""));
        finding
            .say("expected the name of a standard return type, found a reference to one")
            .fix(format!("write `{standard}`"), edit);
    });
}

fn read_schema(node: Node<'_>, report: &mut Report) -> Option<Returns> {
    let returns = read_schema_alone(node, report)?;
    if let Some(examples) = node.get("examples") {
        let enforcer = returns.enforcer(Level::Meaning);
        examples
            .items()
            .for_each(|example| enforcer.check_node(example, report));
    }
    Some(returns)
}

fn warn_undeclared(contract: Node<'_>, report: &mut Report) {
    let place = Place::Node(contract.id());
    report.add(&rules::RETURNS_UNDECLARED, place, |finding| {
        finding
            .say("expected `returns` in the contract of a tool, found none: any result passes")
            .advise("name a standard return type, or write `opaque` if the result is text");
    });
}

fn says_more(object: &ReturnType) -> bool {
    object.description().is_some()
        || !object.examples().is_empty()
        || object.content_type() != DEFAULT_CONTENT_TYPE
}

const DEFAULT_CONTENT_TYPE: &str = "application/json";

fn write_details(object: &ReturnType, writer: &mut Writer) {
    if let Some(description) = object.description() {
        writer.key("description").string(description);
    }
    if !object.examples().is_empty() {
        writer.key("examples").begin_array();
        for example in object.examples() {
            writer.raw(example.text());
        }
        writer.end_array();
    }
    if object.content_type() != DEFAULT_CONTENT_TYPE {
        writer.key("content_type").string(object.content_type());
    }
}
