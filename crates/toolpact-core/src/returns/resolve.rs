//! The contract that `type` and `schema` of a return type object declare together.

use crate::json::Node;
use crate::json::report::{Edit, Place, Report};
use crate::model::{Fields, describe};
use crate::schema::{JsonSchema, standard_reference};
use crate::text::shorten;
use crate::violation::nearest::nearest;
use crate::violation::rules::returns as rules;

use super::refine::contradictions;
use super::type_word::TypeWord;
use super::{Returns, StandardType};

/// The contract, or a report that the two are missing, unknown or contradictory. If `implied`, a
/// standard name needs no schema.
pub(super) fn resolve(fields: &Fields<'_>, implied: bool, report: &mut Report) -> Option<Returns> {
    let type_node = fields.get("type")?.value;
    let word = read_word(type_node, report);
    let Some(schema) = fields.optional("schema", report) else {
        let word = word.filter(|_| fields.get("schema").is_none())?;
        if let (TypeWord::Standard(standard), true) = (word, implied) {
            return Some(Returns::Standard {
                standard,
                refinement: None,
            });
        }
        schema_missing(type_node, word, report);
        return None;
    };
    let promised = read_schema(schema, report);
    combine(type_node, word?, schema, promised?, report)
}

fn read_word(node: Node<'_>, report: &mut Report) -> Option<TypeWord> {
    let text = crate::model::string(node, "type", report)?;
    let word = TypeWord::parse(&text);
    if word.is_none() {
        report.add(&rules::TYPE_UNKNOWN, Place::Node(node.id()), |finding| {
            finding
                .say(format!(
                    "expected a standard return type, `Custom`, a category or a JSON type, found `{}`",
                    shorten(&text)
                ))
                .did_you_mean(nearest(&text, TypeWord::names()));
        });
    }
    word
}

fn schema_missing(node: Node<'_>, word: TypeWord, report: &mut Report) {
    report.add(&rules::SCHEMA_MISSING, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected `schema` beside the type `{word}`, found none"
        ));
        if let TypeWord::Standard(standard) = word {
            let reference = reference_to(standard);
            let edit = Edit::AddMember(node.id(), "schema", reference.clone());
            finding.fix(format!("add \"schema\": {reference}"), edit);
        }
    });
}

/// What a `schema` alone declares: a standard type, a narrower one, or something else.
enum Promised {
    Standard(StandardType),
    Narrower(StandardType, JsonSchema),
    Other(JsonSchema),
}

fn read_schema(node: Node<'_>, report: &mut Report) -> Option<Promised> {
    if let Some(reference) = node.as_str() {
        let standard = standard_reference(&reference);
        if standard.is_none() {
            report.add(&rules::REFERENCE, Place::Node(node.id()), |finding| {
                finding
                    .say(format!(
                        "expected a schema or a reference to a standard return type, found `{}`",
                        shorten(&reference)
                    ))
                    .advise("write the schema in its place: nothing is ever fetched");
            });
        }
        return standard.map(Promised::Standard);
    }
    let schema = JsonSchema::read(node, report)?;
    Some(match referred(node) {
        Some(standard) if node.members().count() == 1 && node.get("$ref").is_some() => {
            Promised::Standard(standard)
        }
        Some(standard) => Promised::Narrower(standard, schema),
        None => Promised::Other(schema),
    })
}

/// The standard type that a schema builds on: by `$ref` at its root, or in `allOf`.
pub(super) fn referred(node: Node<'_>) -> Option<StandardType> {
    let reference = |schema: Node<'_>| standard_reference(&schema.get("$ref")?.as_str()?);
    let all_of = || node.get("allOf")?.items().find_map(reference);
    reference(node).or_else(all_of)
}

/// The type word and the schema must agree.
fn combine(
    type_node: Node<'_>,
    word: TypeWord,
    schema_node: Node<'_>,
    promised: Promised,
    report: &mut Report,
) -> Option<Returns> {
    let (standard, refinement) = match (word, promised) {
        (TypeWord::Standard(word), Promised::Other(schema)) => (word, Some(schema)),
        (word, Promised::Other(schema)) => {
            return custom(type_node, word, schema_node, schema, report);
        }
        (word, Promised::Standard(standard)) => {
            agree(type_node, word, standard, report)?;
            (standard, None)
        }
        (word, Promised::Narrower(standard, schema)) => {
            agree(type_node, word, standard, report)?;
            (standard, Some(schema))
        }
    };
    if refinement.is_some() && !refines(standard, schema_node, report) {
        return None;
    }
    Some(Returns::Standard {
        standard,
        refinement,
    })
}

fn refines(standard: StandardType, schema: Node<'_>, report: &mut Report) -> bool {
    let schema_of_standard = standard.schema().to_value();
    let found = contradictions(schema_of_standard.root(), schema);
    for (node, why) in &found {
        report.add(&rules::CONTRADICTION, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected a schema that narrows {standard}, but {why}"
            ));
        });
    }
    found.is_empty()
}

/// A type word other than the canonical one must at least not contradict the schema.
fn agree(
    node: Node<'_>,
    word: TypeWord,
    standard: StandardType,
    report: &mut Report,
) -> Option<()> {
    let fits = match word {
        TypeWord::Standard(word) => word == standard,
        TypeWord::Custom => true,
        TypeWord::Category(category) => category == standard.category(),
        TypeWord::Json(name) => standard.json_types().contains(&name),
    };
    let replace = || Edit::Replace(node.id(), format!("\"{standard}\""));
    if !fits {
        report.add(&rules::CONTRADICTION, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected the type `{standard}`, as the schema says, found `{word}`"
            ));
        });
        return None;
    }
    if !matches!(word, TypeWord::Standard(_)) {
        report.add(&rules::TYPE_WORD, Place::Node(node.id()), |finding| {
            finding
                .say(format!(
                    "expected the type `{standard}`, found {}",
                    word.describe()
                ))
                .fix(format!("write `{standard}`"), replace());
        });
    }
    Some(())
}

/// Whether a schema of objects names `success`, which callers look for first (ADL 8.1).
fn has_success(schema: Node<'_>) -> bool {
    let is_object = schema.get("type").and_then(Node::as_str).as_deref() == Some("object");
    let named = schema.get("properties").and_then(|all| all.get("success"));
    !is_object || named.is_some()
}

fn custom(
    type_node: Node<'_>,
    word: TypeWord,
    schema_node: Node<'_>,
    schema: JsonSchema,
    report: &mut Report,
) -> Option<Returns> {
    match word {
        TypeWord::Custom => {
            report.add(
                &rules::PREFER_STANDARD,
                Place::Node(type_node.id()),
                |finding| {
                    finding
                        .say("expected a standard return type, found a schema of one's own")
                        .advise(match has_success(schema_node) {
                            true => "`toolpact returns suggest` finds the one that fits",
                            false => "`toolpact returns suggest` finds the one that fits; if none does, give the object a boolean `success`",
                        });
                },
            );
        }
        TypeWord::Json(name) if !schema_allows(schema_node, name) => {
            report.add(
                &rules::CONTRADICTION,
                Place::Node(type_node.id()),
                |finding| {
                    finding.say(format!(
                        "expected a type that the schema allows, found `{name}`, which it does not"
                    ));
                },
            );
            return None;
        }
        _ => report.add(&rules::TYPE_WORD, Place::Node(type_node.id()), |finding| {
            let edit = Edit::Replace(type_node.id(), "\"Custom\"".to_owned());
            finding
                .say(format!(
                    "expected the type `Custom`, found {}",
                    word.describe()
                ))
                .fix("write `Custom`", edit);
        }),
    }
    Some(Returns::Custom(schema))
}

fn schema_allows(schema: Node<'_>, json_type: &str) -> bool {
    let Some(types) = schema.get("type") else {
        return true;
    };
    let allows = |name: &str| name == json_type || name == "integer" && json_type == "number";
    let one = types.as_str().is_some_and(|name| allows(&name));
    one || types
        .items()
        .any(|item| item.as_str().is_some_and(|name| allows(&name)))
}

/// A schema that stands on its own, without a return type object around it.
pub(crate) fn read_schema_alone(node: Node<'_>, report: &mut Report) -> Option<Returns> {
    let (standard, refinement) = match read_schema(node, report)? {
        Promised::Other(schema) => return Some(Returns::Custom(schema)),
        Promised::Standard(standard) => (standard, None),
        Promised::Narrower(standard, schema) => (standard, Some(schema)),
    };
    let fits = refinement.is_none() || refines(standard, node, report);
    fits.then_some(Returns::Standard {
        standard,
        refinement,
    })
}

/// The canonical reference to a type, as JSON.
pub(super) fn reference_to(standard: StandardType) -> String {
    format!("{{\"$ref\": \"#/$defs/StandardReturnTypes/{standard}\"}}")
}

/// Reports a value that should declare a return type.
pub(crate) fn not_a_promise(node: Node<'_>, report: &mut Report) {
    report.add(&rules::TYPE_UNKNOWN, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected the name of a standard return type, a return type object, a JSON Schema or `opaque`, found {}",
            describe(node)
        ));
        if let Some(text) = node.as_str() {
            finding.did_you_mean(nearest(&text, TypeWord::names().chain(["opaque"])));
        }
    });
}
