use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value, Writer};
use crate::model::{Form, Model as _, Schema, expect, warn_unless_object};
use crate::schema::JsonSchema;
use crate::violation::rules::declaration as rules;

use super::defaults;

/// What a tool takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parameters {
    /// In the words of ADM, which has types in upper case.
    Adm(Schema),
    /// In JSON Schema 2020-12.
    JsonSchema(JsonSchema),
}

impl Parameters {
    /// The JSON Schema that accepts the same arguments, with everything it refers to inside of it.
    #[must_use]
    pub fn to_json_schema(&self) -> Value {
        match self {
            Parameters::Adm(schema) => schema.to_arguments_json_schema(),
            Parameters::JsonSchema(schema) => schema.to_bundle(),
        }
    }

    pub(super) fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let node = expect(node, Kind::Object, "parameters", report)?;
        if is_adm(node) {
            let schema = Schema::read(node, report)?;
            warn_unless_object(node, &schema, report);
            return Some(Parameters::Adm(schema));
        }
        let schema = JsonSchema::read(node, report)?;
        warn_unless_it_can_be_an_object(node, report);
        defaults::check(node, report);
        Some(Parameters::JsonSchema(schema))
    }

    pub(super) fn write(&self, writer: &mut Writer, form: Form) {
        match (self, form) {
            (Parameters::Adm(schema), form) => schema.write(writer, form),
            (Parameters::JsonSchema(schema), Form::Faithful) => {
                writer.raw(schema.to_value().text());
            }
            (Parameters::JsonSchema(schema), Form::Canonical) => {
                writer.raw(&schema.to_canonical());
            }
        }
    }
}

/// ADM has its types in upper case. Where the root has no type, its properties tell.
fn is_adm(root: Node<'_>) -> bool {
    let upper = |schema: Node<'_>| {
        let word = schema.get("type")?.as_str()?;
        Some(!word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase()))
    };
    upper(root).unwrap_or_else(|| {
        let properties = root.get("properties").into_iter().flat_map(Node::members);
        properties
            .into_iter()
            .any(|(_, schema)| upper(schema) == Some(true))
    })
}

fn warn_unless_it_can_be_an_object(schema: Node<'_>, report: &mut Report) {
    let place = ["type", "const", "enum"]
        .into_iter()
        .filter_map(|keyword| Some((keyword, schema.get(keyword)?)))
        .find(|(keyword, value)| !allows_objects(keyword, *value));
    if let Some((keyword, value)) = place {
        report.add(&rules::ROOT_NOT_OBJECT, Place::Node(value.id()), |finding| {
            finding.say(format!(
                "expected the parameters to be an object, but `{keyword}` excludes objects: no call could satisfy them"
            ));
        });
    }
}

fn allows_objects(keyword: &str, value: Node<'_>) -> bool {
    let is_object_type = |node: Node<'_>| node.as_str().is_some_and(|name| name == "object");
    let is_object = |node: Node<'_>| node.kind() == Kind::Object;
    match keyword {
        "type" => is_object_type(value) || value.items().any(is_object_type),
        "const" => is_object(value),
        _ => value.items().any(is_object),
    }
}
