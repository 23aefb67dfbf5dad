//! From a document to a schema, with every rule of ADM 3.3.7.

use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::IndexMap;

use crate::json::report::{Edit, Place, Removal, Report};
use crate::json::{Kind, Node};
use crate::model::fields::{self, Fields, Structure};
use crate::text::{list, shorten};
use crate::violation::Rule;
use crate::violation::rules::schema as rules;

use super::{Property, Schema, SchemaType, Subschema, SubschemaId, SubschemaSlot};

const STRUCTURE: Structure = Structure {
    name: "a schema",
    required: &["type"],
    optional: &["description", "properties", "required", "items", "enum"],
    foreign: &[
        (
            "additionalProperties",
            "leave it out: keys that `properties` does not name are refused anyway",
        ),
        ("anyOf", NO_UNIONS),
        ("oneOf", NO_UNIONS),
        (
            "allOf",
            "write the properties of all of them into one schema",
        ),
        ("$ref", "write the schema out in its place"),
        ("const", "write `enum` with one value"),
        ("default", IN_WORDS),
        ("examples", IN_WORDS),
        ("format", IN_WORDS),
        ("maximum", IN_WORDS),
        ("maxItems", IN_WORDS),
        ("maxLength", IN_WORDS),
        ("minimum", IN_WORDS),
        ("minItems", IN_WORDS),
        ("minLength", IN_WORDS),
        ("pattern", IN_WORDS),
        ("title", IN_WORDS),
        (
            "nullable",
            "leave it out: a property that may be absent is one that `required` does not name",
        ),
    ],
};

const IN_WORDS: &str = "ADM has no such keyword: say it in `description`";
const NO_UNIONS: &str = "ADM has no unions: choose one type, or declare two functions";

pub(super) fn read(root: Node<'_>, report: &mut Report) -> Option<Schema> {
    let before = report.errors();
    let mut reader = Reader {
        parts: Vec::new(),
        todo: Vec::new(),
    };
    reader.child(root, None);
    while let Some((id, node)) = reader.todo.pop() {
        let waiting = reader.todo.len();
        reader.part(id, node, report);
        // A stack: the first child is pushed last.
        reader.todo[waiting..].reverse();
    }
    (report.errors() == before).then_some(Schema {
        parts: reader.parts,
    })
}

struct Reader<'a> {
    parts: Vec<Subschema>,
    /// Parts that have a number but are not read yet.
    todo: Vec<(SubschemaId, Node<'a>)>,
}

impl<'a> Reader<'a> {
    fn child(
        &mut self,
        node: Node<'a>,
        parent: Option<(SubschemaId, SubschemaSlot)>,
    ) -> SubschemaId {
        let id = SubschemaId::try_from(self.parts.len()).unwrap_or(SubschemaId::MAX);
        self.parts.push(Subschema {
            schema_type: SchemaType::Object,
            description: None,
            properties: None,
            required: None,
            items: None,
            values: None,
            parent,
        });
        self.todo.push((id, node));
        id
    }

    fn part(&mut self, id: SubschemaId, node: Node<'a>, report: &mut Report) {
        let Some(fields) = Fields::read(node, &STRUCTURE, report) else {
            return;
        };
        let schema_type = fields.get("type").and_then(|f| read_type(f.value, report));
        let description = fields
            .optional_string("description", report)
            .map(Into::into);
        let properties = self.properties(id, &fields, report);
        let required = strings(&fields, "required", &rules::REQUIRED_DUPLICATE, report);
        let properties = with_required(properties, required.as_deref(), report);
        let items = fields
            .optional("items", report)
            .map(|node| self.child(node, Some((id, SubschemaSlot::Items))));
        let values = strings(&fields, "enum", &rules::ENUM_DUPLICATE, report);
        if let Some(schema_type) = schema_type {
            check_keywords(node, &fields, schema_type, values.as_deref(), report);
            self.parts[id as usize].schema_type = schema_type;
        }
        let text = |(_, text): (Node<'_>, Cow<'_, str>)| text.into();
        let part = &mut self.parts[id as usize];
        part.description = description;
        part.properties = properties.map(Box::new);
        part.required = required.map(|names| names.into_iter().map(text).collect());
        part.items = items;
        part.values = values.map(|values| Box::new(values.into_iter().map(text).collect()));
    }

    fn properties(
        &mut self,
        id: SubschemaId,
        fields: &Fields<'a>,
        report: &mut Report,
    ) -> Option<IndexMap<Box<str>, Property>> {
        let node = fields.optional("properties", report)?;
        let node = fields::expect(node, Kind::Object, "properties", report)?;
        let mut properties = IndexMap::new();
        for (name, value) in node.members() {
            let step = SubschemaSlot::Property(properties.len());
            let part = self.child(value, Some((id, step)));
            properties.insert(
                name.into(),
                Property {
                    part,
                    required: false,
                },
            );
        }
        Some(properties)
    }
}

fn read_type(node: Node<'_>, report: &mut Report) -> Option<SchemaType> {
    let name = fields::string(node, "type", report)?;
    let known = SchemaType::from_name(&name);
    let meant = SchemaType::from_name(&name.to_ascii_uppercase());
    if known.is_none() {
        report.add(&rules::TYPE_UNKNOWN, Place::Node(node.id()), |finding| {
            let names = SchemaType::ALL.map(SchemaType::as_str);
            finding.say(format!(
                "expected a type, one of {}, found `{}`",
                list(names.into_iter()),
                shorten(&name)
            ));
            match meant {
                Some(meant) => {
                    let edit = Edit::Replace(node.id(), format!("\"{meant}\""));
                    finding.fix(format!("did you mean `{meant}`?"), edit);
                }
                None => {
                    match synonym(&name) {
                        Some(synonym) => finding.did_you_mean(Some(synonym)),
                        None => finding.did_you_mean_one_of(&name, names),
                    };
                }
            }
        });
    }
    // The rest is checked as what was meant, so that all mistakes are reported at once.
    meant
}

/// What other languages call the six types.
fn synonym(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "str" | "text" | "date" | "datetime" | "date-time" | "uuid" | "enum" => "STRING",
        "float" | "double" | "decimal" => "NUMBER",
        "int" | "long" | "int32" | "int64" => "INTEGER",
        "bool" => "BOOLEAN",
        "list" | "tuple" | "set" => "ARRAY",
        "dict" | "map" | "struct" | "record" => "OBJECT",
        _ => return None,
    })
}

/// An array of strings, each of which may be there once.
fn strings<'a>(
    fields: &Fields<'a>,
    name: &'static str,
    duplicate: &'static Rule,
    report: &mut Report,
) -> Option<Vec<(Node<'a>, Cow<'a, str>)>> {
    let node = fields.optional(name, report)?;
    let array = fields::expect(node, Kind::Array, name, report)?;
    let mut seen = HashSet::new();
    let mut strings = Vec::new();
    let mut previous = None;
    for item in array.items() {
        let before = previous.replace(item.id());
        let Some(text) = item.as_str() else {
            let what = format_args!("each of `{name}`");
            fields::report_wrong_type(item, Kind::String, what, report);
            continue;
        };
        if !seen.insert(text.clone()) {
            report.add(duplicate, Place::Node(item.id()), |finding| {
                finding
                    .say(format!(
                        "expected each of `{name}` once, found \"{}\" again",
                        shorten(&text)
                    ))
                    .fix(
                        "remove it",
                        Edit::Remove(Removal {
                            first: item.id(),
                            last: item.id(),
                            previous: before,
                        }),
                    );
            });
        }
        strings.push((item, text));
    }
    Some(strings)
}

/// Marks the properties that `required` names, and reports names that are none.
fn with_required(
    mut properties: Option<IndexMap<Box<str>, Property>>,
    required: Option<&[(Node<'_>, Cow<'_, str>)]>,
    report: &mut Report,
) -> Option<IndexMap<Box<str>, Property>> {
    for (node, name) in required.unwrap_or_default() {
        match properties.as_mut().and_then(|map| map.get_mut(&**name)) {
            Some(property) => property.required = true,
            None => report.add(
                &rules::REQUIRED_UNKNOWN,
                Place::Node(node.id()),
                |finding| {
                    let names = || properties.iter().flat_map(IndexMap::keys).map(|key| &**key);
                    finding
                        .say(format!(
                            "expected `required` to name keys of `properties`, found \"{}\"",
                            shorten(name)
                        ))
                        .did_you_mean_one_of(name, names());
                },
            ),
        }
    }
    properties
}

/// The rules that tie keywords to types.
fn check_keywords(
    node: Node<'_>,
    fields: &Fields<'_>,
    schema_type: SchemaType,
    values: Option<&[(Node<'_>, Cow<'_, str>)]>,
    report: &mut Report,
) {
    if schema_type == SchemaType::Array && fields.get("items").is_none() {
        report.add(&rules::ITEMS_MISSING, Place::Node(node.id()), |finding| {
            finding
                .say("expected `items` in an ARRAY, found none")
                .advise("say what the elements are, for example \"items\": {\"type\": \"STRING\"}");
        });
    }
    if let Some(field) = fields.get("enum") {
        if schema_type != SchemaType::String {
            report.add(
                &rules::ENUM_NOT_STRING,
                Place::Key(field.key.id()),
                |finding| {
                    finding.say(format!(
                        "expected `enum` only on a STRING, found it on {schema_type}"
                    ));
                },
            );
        } else if values.is_some_and(<[_]>::is_empty) {
            report.add(
                &rules::ENUM_EMPTY,
                Place::Node(field.value.id()),
                |finding| {
                    finding
                        .say("expected `enum` to have at least one value, found none")
                        .advise("leave it out to allow any string");
                },
            );
        }
    }
    let uses = [
        ("properties", SchemaType::Object),
        ("required", SchemaType::Object),
        ("items", SchemaType::Array),
    ];
    for (keyword, for_type) in uses {
        let Some(field) = fields.get(keyword).filter(|_| schema_type != for_type) else {
            continue;
        };
        report.add(&rules::NO_EFFECT, Place::Key(field.key.id()), |finding| {
            finding.say(format!(
                "expected `{keyword}` only on {for_type}, found it on {schema_type}, where it has no effect"
            ));
        });
    }
}
