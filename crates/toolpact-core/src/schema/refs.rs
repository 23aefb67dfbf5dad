//! References. The standard return types have several spellings and one meaning; every other
//! reference must stay inside the schema.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value, Writer};
use crate::returns::StandardType;
use crate::text::shorten;
use crate::violation::rules::json_schema as rules;

use super::dialect;
use super::resolve::percent_decode;
use super::splice::splice;

/// The standard type that a reference names, in any of its spellings.
pub(crate) fn standard_reference(reference: &str) -> Option<StandardType> {
    let name = reference
        .strip_prefix(StandardType::BASE_URI)
        .or_else(|| reference.strip_prefix("#/$defs/StandardReturnTypes/properties/"))
        .or_else(|| reference.strip_prefix("#/$defs/StandardReturnTypes/"))
        .or_else(|| reference.strip_prefix("#/$defs/")?.strip_suffix("Schema"))
        .unwrap_or(reference);
    StandardType::from_name(name)
}

/// What kinds of references a schema has.
#[derive(Debug, Clone, Copy)]
pub(super) struct References {
    /// Whether there are any.
    pub(super) any: bool,
    /// Whether all references and identifiers are of kinds that every resolver treats alike.
    pub(super) plain: bool,
}

/// Checks that references lead into the schema itself or to a standard type only, and that names of
/// standard types are not used for anything else.
pub(super) fn check(schemas: &[Node<'_>], report: &mut Report) -> References {
    let mut found = References {
        any: false,
        plain: true,
    };
    let mut definitions = None;
    for schema in schemas {
        for (keyword, value) in schema.members() {
            let Some(text) = value.as_str() else { continue };
            match &*keyword {
                "$ref" => {
                    found.any = true;
                    found.plain &= is_plain(&text);
                    let definitions = definitions.get_or_insert_with(|| definitions_of(schemas[0]));
                    reference(value, &text, definitions, report);
                }
                "$dynamicRef" => {
                    found = References {
                        any: true,
                        plain: false,
                    };
                    if !is_local(&text) {
                        report_foreign(value, report);
                    }
                }
                "$id" => {
                    found.plain = false;
                    let is_root = schema.id() == schemas[0].id();
                    identifier(*schema, value, &text, is_root, report);
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether a reference is a standard one or a pointer that needs no decoding.
fn is_plain(reference: &str) -> bool {
    let byte = |b: u8| b.is_ascii_alphanumeric() || b"#/$-._~:".contains(&b);
    let pointer = reference == "#" || reference.starts_with("#/");
    (pointer || standard_reference(reference).is_some()) && reference.bytes().all(byte)
}

/// Whether a reference stays inside its schema.
fn is_local(reference: &str) -> bool {
    reference.starts_with('#')
}

fn definitions_of(root: Node<'_>) -> HashSet<Cow<'_, str>> {
    let definitions = root.get("$defs").into_iter();
    definitions
        .flat_map(|all| all.members().map(|(name, _)| name))
        .collect()
}

fn reference(node: Node<'_>, text: &str, own: &HashSet<Cow<'_, str>>, report: &mut Report) {
    if standard_reference(text).is_none() {
        if !is_local(text) {
            report_foreign(node, report);
        }
        return;
    }
    let name = text
        .strip_prefix("#/$defs/")
        .and_then(|r| r.split('/').next());
    if let Some(name) = name.filter(|name| own.contains(*name)) {
        report_taken(node, name, report);
    }
}

/// The identifier of a standard type, or one that may resolve to it, may only be on that type.
fn identifier(schema: Node<'_>, node: Node<'_>, id: &str, is_root: bool, report: &mut Report) {
    let id = percent_decode(id).unwrap_or(Cow::Borrowed(id));
    let name = id.trim_end_matches('#').rsplit('/').next();
    let Some(standard) = name.and_then(StandardType::from_name) else {
        return;
    };
    let relative = !id.contains("://") && !is_root;
    let claimed = relative || id.starts_with("//") || id.to_ascii_lowercase().contains("adl.io");
    let is_it = || id == standard.uri() && schema.to_value() == standard.schema().to_value();
    if claimed && !is_it() {
        report_taken(node, &id, report);
    }
}

fn report_foreign(node: Node<'_>, report: &mut Report) {
    let reference = node.as_str().unwrap_or_default();
    report.add(&rules::REFERENCE, Place::Node(node.id()), |finding| {
        finding
            .say(format!(
                "expected a reference into the schema or to a standard return type, found `{}`",
                shorten(&reference)
            ))
            .advise("write the schema out under `$defs`: nothing is ever fetched");
    });
}

fn report_taken(node: Node<'_>, name: &str, report: &mut Report) {
    report.add(&rules::REFERENCE, Place::Node(node.id()), |finding| {
        finding
            .say(format!(
                "expected `{}` to mean a standard return type, found a schema of one's own by that name",
                shorten(name)
            ))
            .advise("give it another name");
    });
}

pub(super) fn report_lost(node: Node<'_>, report: &mut Report) {
    let reference = node.as_str().unwrap_or_default();
    report.add(&rules::REFERENCE, Place::Node(node.id()), |finding| {
        finding
            .say(format!(
                "expected a reference to a schema, found `{}`, which leads to none",
                shorten(&reference)
            ))
            .advise("write the schema there, usually under `$defs`");
    });
}

pub(super) fn report_circle(schema: Node<'_>, report: &mut Report) {
    let place = schema.get("$ref").unwrap_or(schema);
    report.add(&rules::CIRCLE, Place::Node(place.id()), |finding| {
        finding
            .say("expected a schema that comes to an end, found one that applies itself to the same value again")
            .advise("refer to it from inside of `properties` or `items`, or leave the reference out");
    });
}

/// The schema with its standard references in one spelling, the standard types embedded, and
/// `$schema` set to 2020-12. Shares the source if nothing changes.
pub(super) fn bundle(source: &Value, schemas: &[Node<'_>]) -> Value {
    let offset = schemas.first().map_or(0, |root| root.span().start);
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    let mut types = BTreeSet::new();
    for schema in schemas {
        for (keyword, value) in schema.members() {
            let span = value.span().start - offset..value.span().end - offset;
            let text = || value.as_str();
            match &*keyword {
                "$ref" => {
                    if let Some(standard) = text().and_then(|text| standard_reference(&text)) {
                        types.insert(standard);
                        changes.push((span, format!("\"{}\"", standard.uri())));
                    }
                }
                "$schema" if text().is_some_and(|text| text != dialect::OURS) => {
                    changes.push((span, format!("\"{}\"", dialect::OURS)));
                }
                _ => {}
            }
        }
    }
    if changes.is_empty() {
        return source.clone();
    }
    let respelled = splice(source.root(), changes);
    if types.is_empty() {
        respelled
    } else {
        with_definitions(&respelled, &types)
    }
}

fn with_definitions(schema: &Value, types: &BTreeSet<StandardType>) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    let mut definitions = None;
    for (key, value) in schema.root().members() {
        match (&*key, value.kind()) {
            ("$defs", Kind::Object) => definitions = Some(value),
            _ => {
                writer.key(&key).raw(value.text());
            }
        }
    }
    writer.key("$defs").begin_object();
    for (key, value) in definitions.into_iter().flat_map(Node::members) {
        writer.key(&key).raw(value.text());
    }
    for standard in types {
        // No definition of the schema itself has such a name.
        writer.key(&standard.uri()).raw(standard.schema_text());
    }
    writer.end_object().end_object();
    Value::trusted(writer)
}
