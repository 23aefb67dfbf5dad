//! `$schema`: the dialect of a schema. Every schema is read as 2020-12, so it must have the same
//! meaning there.

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node};
use crate::text::shorten;
use crate::violation::rules::json_schema as rules;

use super::keyword::{Draft, Keyword};

/// The dialect that every schema is read as.
pub(super) const OURS: &str = "https://json-schema.org/draft/2020-12/schema";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Dialect {
    Old(Draft),
    /// 2020-12 with additional vocabularies, or "the latest".
    Near,
    Ours,
}

/// Whether all schemas mean the same in 2020-12 as in their own dialect. Reports where they do not.
pub(super) fn check(schemas: &[Node<'_>], report: &mut Report) -> bool {
    let before = report.errors();
    let mut old = Vec::new();
    for schema in schemas {
        let Some(node) = schema.get("$schema") else {
            continue;
        };
        let Some(uri) = node.as_str() else { continue };
        match dialect(&uri) {
            None => report_unknown(node, &uri, report),
            Some(Dialect::Ours) => {}
            Some(dialect) => old.push((dialect, node)),
        }
    }
    let oldest = old.iter().map(|(dialect, _)| *dialect).min();
    if let Some(Dialect::Old(oldest)) = oldest {
        for schema in schemas {
            let is_root = schema.id() == schemas[0].id();
            changed(*schema, oldest, is_root, report);
        }
    }
    let same = report.errors() == before;
    if same {
        for (_, node) in old {
            report_old(node, report);
        }
    }
    same
}

fn dialect(uri: &str) -> Option<Dialect> {
    let uri = uri.strip_suffix('#').unwrap_or(uri);
    let name = uri
        .strip_prefix("https://")
        .or_else(|| uri.strip_prefix("http://"))?;
    Some(match name {
        "json-schema.org/draft/2020-12/schema" => Dialect::Ours,
        "json-schema.org/draft/2019-09/schema" => Dialect::Old(Draft::Draft2019),
        "json-schema.org/draft-07/schema" => Dialect::Old(Draft::Draft7),
        "json-schema.org/draft-06/schema" => Dialect::Old(Draft::Draft6),
        "json-schema.org/draft-04/schema" => Dialect::Old(Draft::Draft4),
        "json-schema.org/schema" | "spec.openapis.org/oas/3.1/dialect/base" => Dialect::Near,
        _ => return None,
    })
}

/// Reports the keywords of a schema that 2020-12 ignores or interprets differently.
fn changed(schema: Node<'_>, draft: Draft, is_root: bool, report: &mut Report) {
    let old = draft <= Draft::Draft7;
    let refers = old && schema.get("$ref").is_some();
    for (key, value) in schema.entries() {
        let keyword = key.as_str().unwrap_or_default();
        let advice = match &*keyword {
            "items" if value.kind() == Kind::Array => {
                "write `prefixItems`, and `items` in place of `additionalItems`"
            }
            "dependencies" if old => "write `dependentRequired` or `dependentSchemas`",
            "$recursiveRef" | "$recursiveAnchor" if draft == Draft::Draft2019 => {
                "write `$dynamicRef` and `$dynamicAnchor`, or `$ref`"
            }
            "id" if draft == Draft::Draft4 && !is_root && value.kind() == Kind::String => {
                "write `$id`, or leave it out"
            }
            "$id" if old && value.as_str().is_some_and(|id| id.starts_with('#')) => {
                "write `$anchor`, without the `#`"
            }
            "exclusiveMinimum" | "exclusiveMaximum"
                if draft == Draft::Draft4 && value.kind() == Kind::Bool =>
            {
                "give it the number of `minimum` or `maximum`"
            }
            name if refers && is_ignored(name) => {
                "beside `$ref` it has no effect in that dialect: take it out, or put the `$ref` into `allOf`"
            }
            _ => continue,
        };
        report_changed(key, &keyword, advice, report);
    }
}

/// Whether a keyword had an effect in the drafts that ignore it beside `$ref`.
fn is_ignored(name: &str) -> bool {
    // `then` has no effect without `if`, which is reported.
    Keyword::named(name).is_some_and(|keyword| {
        keyword.asserts() && keyword.since() <= Draft::Draft7 && keyword != Keyword::Then
    })
}

fn report_unknown(node: Node<'_>, uri: &str, report: &mut Report) {
    report.add(&rules::DIALECT, Place::Node(node.id()), |finding| {
        finding
            .say(format!(
                "expected a dialect of JSON Schema that is known here, found `{}`",
                shorten(uri)
            ))
            .advise(format!(
                "write `{OURS}` if that is what it is, or leave `$schema` out: nothing is ever fetched"
            ));
    });
}

fn report_old(node: Node<'_>, report: &mut Report) {
    let uri = node.as_str().unwrap_or_default();
    report.add(&rules::DIALECT_OLD, Place::Node(node.id()), |finding| {
        finding
            .say(format!(
                "expected JSON Schema 2020-12, found `{}`: it is read as 2020-12",
                shorten(&uri)
            ))
            .advise(format!("write `{OURS}`"));
    });
}

fn report_changed(key: Node<'_>, keyword: &str, advice: &str, report: &mut Report) {
    report.add(&rules::DIALECT_KEYWORD, Place::Key(key.id()), |finding| {
        finding
            .say(format!(
                "expected keywords that mean the same in 2020-12, found `{keyword}`, which does not"
            ))
            .advise(advice);
    });
}
