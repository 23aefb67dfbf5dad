//! Looks at a schema before it is used.

use jsonschema::PatternOptions;

use crate::json::{Kind, Node, Value};
use crate::model::describe;
use crate::text::shorten;
use crate::violation::report::{Place, Report};
use crate::violation::rules::json_schema as rules;

use super::expansion::expansion;
use super::refs::{self, is_local, standard_reference};
use super::walk::subschemas;
use super::{JsonSchema, bounds};

pub(super) fn read(node: Node<'_>, report: &mut Report) -> Option<JsonSchema> {
    let before = report.errors();
    if !matches!(node.kind(), Kind::Object | Kind::Bool) {
        report.add(&rules::INVALID, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected a JSON Schema, which is an object or a boolean, found {}",
                describe(node)
            ));
        });
        return None;
    }
    if !is_bounded(node, report) {
        return None;
    }
    let source = node.to_value();
    // Bounded depth, so it goes through serde.
    let parsed: serde_json::Value = source.deserialize().ok()?;
    meta(node, &parsed, report);
    for schema in subschemas(node) {
        references(schema, report);
        reserved(schema, node, report);
    }
    if report.errors() > before {
        return None;
    }
    let schema = JsonSchema {
        bundle: refs::bundle(source.root()),
        source,
    };
    compiles(node, &schema.bundle, report).then_some(schema)
}

fn is_bounded(node: Node<'_>, report: &mut Report) -> bool {
    let (length, depth) = (node.text().len(), depth(node));
    let found = if length > bounds::BYTES {
        format!("at most {} bytes, found {length}", bounds::BYTES)
    } else if depth > bounds::DEPTH {
        format!("at most {} levels of nesting, found {depth}", bounds::DEPTH)
    } else if expansion(node) > bounds::EXPANSION {
        let most = bounds::EXPANSION;
        format!("at most {most} subschemas for one value, references followed, found more")
    } else {
        return true;
    };
    report.add(&rules::TOO_LARGE, Place::Node(node.id()), |finding| {
        finding.say(format!("expected a schema of {found}"));
    });
    false
}

/// How many containers are nested in a part of a document.
pub(crate) fn depth(root: Node<'_>) -> usize {
    let entries = &root.index().entries[root.id() as usize..root.entry().next as usize];
    let (mut open, mut deepest) = (Vec::new(), 0);
    for (id, entry) in (root.id()..).zip(entries) {
        while open.last().is_some_and(|end| *end <= id) {
            open.pop();
        }
        if entry.shape.is_container() {
            open.push(entry.next);
            deepest = deepest.max(open.len());
        }
    }
    deepest
}

/// What the meta-schema of 2020-12 says.
fn meta(node: Node<'_>, schema: &serde_json::Value, report: &mut Report) {
    for error in jsonschema::draft202012::meta::validator().iter_errors(schema) {
        let place = crate::check::locate(node, error.instance_path());
        report.add(&rules::INVALID, Place::Node(place.id()), |finding| {
            finding.say(format!(
                "expected a JSON Schema (2020-12), but {}",
                crate::check::explain(&error, node)
            ));
        });
    }
}

/// References lead into the schema itself or to a standard type, and nowhere else.
fn references(schema: Node<'_>, report: &mut Report) {
    for keyword in ["$ref", "$dynamicRef"] {
        let Some(node) = schema.get(keyword) else {
            continue;
        };
        let Some(reference) = node.as_str() else {
            continue;
        };
        let standard = keyword == "$ref" && standard_reference(&reference).is_some();
        if standard || is_local(&reference) {
            continue;
        }
        report.add(&rules::REFERENCE, Place::Node(node.id()), |finding| {
            finding
                .say(format!(
                    "expected a reference into the schema or to a standard return type, found `{}`",
                    shorten(&reference)
                ))
                .advise("write the schema out under `$defs`: nothing is ever fetched");
        });
    }
}

/// Names that mean standard types must not be given to anything else.
fn reserved(schema: Node<'_>, root: Node<'_>, report: &mut Report) {
    let own_definition = || {
        let node = schema.get("$ref")?;
        let reference = node.as_str()?;
        let name = reference
            .strip_prefix("#/$defs/")?
            .split('/')
            .next()?
            .to_owned();
        standard_reference(&reference)?;
        root.get("$defs")?.get(&name).map(|_| (node, name))
    };
    let own_id = || {
        let node = schema.get("$id")?;
        let id = node.as_str()?;
        let standard = standard_reference(&id).filter(|standard| standard.uri() == id)?;
        let same = schema.to_value() == *standard.schema().as_value();
        (!same).then(|| (node, id.into_owned()))
    };
    if let Some((node, name)) = own_definition().or_else(own_id) {
        report.add(&rules::REFERENCE, Place::Node(node.id()), |finding| {
            finding
                .say(format!(
                    "expected `{}` to mean a standard return type, found a schema of one's own by that name",
                    shorten(&name)
                ))
                .advise("give it another name");
        });
    }
}

/// The last word: whether it can be used, patterns in linear time included.
fn compiles(node: Node<'_>, bundle: &Value, report: &mut Report) -> bool {
    let Ok(schema) = bundle.deserialize::<serde_json::Value>() else {
        return false;
    };
    let built = jsonschema::draft202012::options()
        .offline()
        .with_pattern_options(PatternOptions::regex())
        .build(&schema);
    let Err(error) = built else { return true };
    let place = crate::check::locate(node, error.instance_path());
    report.add(&rules::INVALID, Place::Node(place.id()), |finding| {
        let text = crate::check::explain(&error, node);
        finding.say(format!("expected a schema that can be used, but {text}"));
    });
    false
}
