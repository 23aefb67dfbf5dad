//! From ADL's list of parameters to a JSON Schema of an object.

use std::collections::HashSet;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value, Writer};
use crate::schema::{JsonSchema, TYPES, keyword_names, meant_type};
use crate::text::shorten;
use crate::violation::rules::adl as rules;

/// Keywords that ADL has from JSON Schema and that mean the same in both.
pub(crate) const SHARED: &[&str] = keyword_names!(
    "description default format pattern minLength maxLength minimum maximum exclusiveMinimum \
     exclusiveMaximum multipleOf enum items minItems maxItems uniqueItems properties \
     additionalProperties anyOf oneOf allOf"
);

pub(super) fn read(list: Node<'_>, report: &mut Report) -> Option<JsonSchema> {
    if list.kind() != Kind::Array {
        return None;
    }
    let before = report.errors();
    let mut seen = HashSet::new();
    let mut properties = Vec::new();
    let mut required = Vec::new();
    for parameter in list.items() {
        let Some(name) = parameter.get("name").and_then(Node::as_str) else {
            continue;
        };
        if !seen.insert(name.clone()) {
            duplicate(parameter, &name, report);
            continue;
        }
        if parameter.get("required").and_then(Node::as_bool) == Some(true) {
            required.push(name.clone());
        }
        if let Some(schema) = read_one(parameter, report) {
            properties.push((name, schema));
        }
    }
    if report.errors() > before {
        return None;
    }
    let mut writer = Writer::default();
    writer.begin_object().key("type").string("object");
    writer.key("properties").begin_object();
    for (name, schema) in &properties {
        writer.key(name).raw(schema.to_value().text());
    }
    writer
        .end_object()
        .key("required")
        .strings(required.iter().map(|name| &**name));
    writer.key("additionalProperties").raw("false").end_object();
    Some(JsonSchema::trusted(Value::trusted(writer)))
}

fn read_one(parameter: Node<'_>, report: &mut Report) -> Option<JsonSchema> {
    let mut writer = Writer::default();
    writer.begin_object();
    let json_type = parameter
        .get("type")
        .and_then(|node| json_type(node, report));
    if let Some(json_type) = json_type {
        writer.key("type").string(json_type);
    }
    for keyword in SHARED {
        if let Some(value) = parameter.get(keyword) {
            writer.key(keyword).raw(value.text());
        }
    }
    if let Some(required) = parameter.get("required_properties") {
        writer.key("required").raw(required.text());
    }
    writer.end_object();
    match JsonSchema::from_value(&Value::trusted(writer)) {
        Ok(schema) if schema.refers_to_itself() => {
            report.add(
                &rules::PARAMETER_SCHEMA,
                Place::Node(parameter.id()),
                |finding| {
                    finding
                        .say(
                            "expected the constraints of a parameter without references, found one",
                        )
                        .advise("write the schema out in its place");
                },
            );
            None
        }
        Ok(schema) => {
            check_default(parameter, &schema, report);
            Some(schema)
        }
        Err(violations) => {
            for violation in &violations {
                report.add(
                    &rules::PARAMETER_SCHEMA,
                    Place::Node(parameter.id()),
                    |finding| {
                        let place = violation.pointer();
                        finding.say(format!(
                            "{} (at {place} of the parameter)",
                            violation.message()
                        ));
                    },
                );
            }
            None
        }
    }
}

/// The JSON type that a logical type means. An unknown word warns and constrains nothing.
fn json_type(node: Node<'_>, report: &mut Report) -> Option<&'static str> {
    let word = node.as_str()?;
    if let Some(known) = TYPES.into_iter().find(|known| *known == word) {
        return Some(known);
    }
    if word.eq_ignore_ascii_case("any") {
        return None;
    }
    let meant = meant_type(&word);
    report.add(&rules::PARAMETER_TYPE, Place::Node(node.id()), |finding| {
        finding
            .say(format!("expected a JSON type, found `{}`", shorten(&word)))
            .did_you_mean(meant);
    });
    meant
}

fn check_default(parameter: Node<'_>, schema: &JsonSchema, report: &mut Report) {
    let Some(default) = parameter.get("default") else {
        return;
    };
    // A default of null says that there is none.
    if default.kind() != Kind::Null {
        schema.checker().check_node(default, report);
    }
}

fn duplicate(parameter: Node<'_>, name: &str, report: &mut Report) {
    let node = parameter.get("name").unwrap_or(parameter);
    report.add(
        &rules::DUPLICATE_PARAMETER,
        Place::Node(node.id()),
        |finding| {
            finding.say(format!(
                "expected each parameter once, found `{}` again",
                shorten(name)
            ));
        },
    );
}
