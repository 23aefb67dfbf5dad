//! Checks a schema before it is used.

use std::collections::HashSet;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, NodeId, Value};
use crate::model::describe;
use crate::violation::rules::json_schema as rules;

use super::graph::Graph;
use super::keyword::{Keyword, keywords};
use super::walk::{applied_schemas, subschemas};
use super::well_formed::is_plainly_well_formed;
use super::{JsonSchema, Resolver, bounds, dialect, expansion, pattern, refs, usual};

pub(super) fn read(node: Node<'_>, report: &mut Report) -> Option<JsonSchema> {
    let before = report.errors();
    if !is_schema(node, report) || !is_bounded(node, report) {
        return None;
    }
    let source = node.to_value();
    let (schemas, applied) = (subschemas(node), applied_schemas(node));
    if dialect::check(&applied, report) && !is_plainly_well_formed(node) {
        meta(node, &source, report);
    }
    let references = refs::check(&schemas, report);
    if report.errors() > before {
        return None;
    }
    let mut left = bounds::PATTERNS;
    patterns(&applied, &mut left, report);
    // Without references, the expansion cannot exceed the size of the schema.
    let grows = references.any || applied.iter().any(looks_back);
    let mut plain = references.plain;
    if grows || applied.len() as u64 > bounds::EXPANSION {
        let hidden = leads_somewhere(node, &applied, report);
        patterns(&hidden, &mut left, report);
        plain &= hidden.is_empty();
    }
    if report.errors() > before {
        return None;
    }
    let bundle = refs::bundle(&source, &schemas);
    let usable = plain || compiles(node, &bundle, report);
    usable.then_some(JsonSchema::whole(source, bundle))
}

/// Checks what can be checked of a schema that is a part of others: the states of its patterns, and
/// whether its references are plain. `None` if something is wrong.
pub(super) fn part(node: Node<'_>) -> Option<(u64, bool)> {
    let mut report = Report::new(1);
    let shallow = depth(node) + ABOVE <= bounds::DEPTH;
    if !is_schema(node, &mut report) || !shallow {
        return None;
    }
    let (schemas, applied) = (subschemas(node), applied_schemas(node));
    if !dialect::check(&applied, &mut report) || !is_plainly_well_formed(node) {
        meta(node, &node.to_value(), &mut report);
    }
    let plain = schemas.is_empty() || refs::check(&schemas, &mut report).plain;
    let mut left = bounds::PATTERNS;
    patterns(&applied, &mut left, &mut report);
    (report.errors() == 0).then_some((bounds::PATTERNS - left, plain))
}

/// The levels above a definition: the schema and its `$defs`.
const ABOVE: usize = 2;

/// Whether the `jsonschema` crate compiles a schema.
pub(super) fn is_compilable(schema: &Value) -> bool {
    let schema = schema.deserialize::<serde_json::Value>();
    schema.is_ok_and(|schema| crate::check::options(true).build(&schema).is_ok())
}

fn is_schema(node: Node<'_>, report: &mut Report) -> bool {
    let is_one = matches!(node.kind(), Kind::Object | Kind::Bool);
    if !is_one {
        report.add(&rules::INVALID, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected a JSON Schema, which is an object or a boolean, found {}",
                describe(node)
            ));
        });
    }
    is_one
}

fn is_bounded(node: Node<'_>, report: &mut Report) -> bool {
    let length = node.text().len();
    if length > bounds::BYTES {
        let most = bounds::BYTES;
        too_large(node, &format!("{most} bytes, found {length}"), report);
        return false;
    }
    let depth = depth(node);
    if depth > bounds::DEPTH {
        let most = bounds::DEPTH;
        too_large(
            node,
            &format!("{most} levels of nesting, found {depth}"),
            report,
        );
        return false;
    }
    true
}

fn too_large(node: Node<'_>, what: &str, report: &mut Report) {
    report.add(&rules::TOO_LARGE, Place::Node(node.id()), |finding| {
        finding.say(format!("expected a schema of at most {what}"));
    });
}

/// The depth of nesting in a part of a document.
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

/// Validates against the meta-schema of 2020-12.
fn meta(node: Node<'_>, source: &Value, report: &mut Report) {
    // The depth is bounded, so it can go through serde.
    let Ok(schema) = source.deserialize::<serde_json::Value>() else {
        return;
    };
    // What is often wrong is said in plain words, and not once more in those of the meta-schema.
    let told = usual::mistakes(node, report);
    for error in jsonschema::draft202012::meta::validator().iter_errors(&schema) {
        let place = crate::check::locate(node, error.instance_path());
        if told.contains(&place.id()) {
            continue;
        }
        report.add(&rules::INVALID, Place::Node(place.id()), |finding| {
            finding.say(format!(
                "expected a JSON Schema (2020-12), but {}",
                crate::check::explain(&error, node)
            ));
        });
    }
}

/// Every pattern runs in linear time, and all together compile to a bounded size.
pub(super) fn patterns(schemas: &[Node<'_>], left: &mut u64, report: &mut Report) {
    for schema in schemas {
        for (keyword, value) in keywords(*schema) {
            match keyword {
                Keyword::Pattern => one_pattern(value, Place::Node(value.id()), left, report),
                Keyword::PatternProperties => value.entries().for_each(|(key, _)| {
                    one_pattern(key, Place::Key(key.id()), left, report);
                }),
                _ => {}
            }
        }
    }
}

fn one_pattern(node: Node<'_>, place: Place, left: &mut u64, report: &mut Report) {
    let Some(text) = node.as_str() else { return };
    let why = match pattern::compiled_size(&text, *left) {
        Ok(size) => {
            *left -= size;
            return;
        }
        Err(why) => why,
    };
    let found = describe(node);
    match why {
        pattern::Unusable::Syntax | pattern::Unusable::Backtracking => {
            report.add(&rules::INVALID, place, |finding| {
                finding.say(format!("expected {}, found {found}", pattern::expected(&text)));
                if why == pattern::Unusable::Syntax {
                    finding.advise("check its brackets, its escapes, and the ranges in `[…]`: a `-` that means itself is last");
                }
            });
        }
        pattern::Unusable::Size => report.add(&rules::TOO_LARGE, place, |finding| {
            finding
                .say(format!(
                    "expected patterns that compile to at most {} states, all of a schema together, found more with {found}",
                    bounds::PATTERNS
                ))
                .advise("repeat less often, or say it with `maxLength`");
        }),
    }
}

fn looks_back(schema: &Node<'_>) -> bool {
    keywords(*schema).any(|(keyword, _)| keyword.is_unevaluated())
}

/// Checks that references lead to schemas, without in-place cycles or too much expansion. Returns
/// the schemas that only references reach: they are in the values of unknown keywords.
fn leads_somewhere<'a>(node: Node<'a>, applied: &[Node<'a>], report: &mut Report) -> Vec<Node<'a>> {
    let graph = Graph::new(node, &Resolver::new(node));
    for reference in &graph.lost {
        refs::report_lost(*reference, report);
    }
    match expansion::in_place(&graph) {
        Ok(applied) if applied <= bounds::EXPANSION => {}
        Ok(_) => {
            let most = bounds::EXPANSION;
            let what = format!("{most} subschemas for one value, references followed, found more");
            too_large(node, &what, report);
        }
        Err(circle) => refs::report_circle(graph.vertices[circle].schema, report),
    }
    let known: HashSet<NodeId> = applied.iter().map(|schema| schema.id()).collect();
    let all = graph.vertices.into_iter().map(|vertex| vertex.schema);
    all.filter(|schema| !known.contains(&schema.id())).collect()
}

/// The final check of unusual schemas: whether the `jsonschema` crate compiles them.
fn compiles(node: Node<'_>, bundle: &Value, report: &mut Report) -> bool {
    let Ok(schema) = bundle.deserialize::<serde_json::Value>() else {
        return false;
    };
    let built = crate::check::options(true).build(&schema);
    let Err(error) = built else { return true };
    let place = crate::check::locate(node, error.instance_path());
    report.add(&rules::INVALID, Place::Node(place.id()), |finding| {
        let text = crate::check::explain(&error, node);
        finding.say(format!("expected a schema that can be used, but {text}"));
    });
    false
}
