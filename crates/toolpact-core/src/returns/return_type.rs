use crate::json::{Kind, Node, Value, Writer};
use crate::model::{Fields, Form, Model, Structure, describe, document_methods, expect};
use crate::schema::{JsonSchema, standard_reference};
use crate::text::shorten;
use crate::violation::nearest::nearest;
use crate::violation::report::{Edit, Place, Report};
use crate::violation::rules::returns as rules;

use super::refine::contradictions;
use super::type_word::TypeWord;
use super::{Category, Level, Returns, StandardType, content_type};

/// A return type object of ADL 1.5: the promise, and what is said about it.
///
/// ```
/// use toolpact_core::returns::{ReturnType, Returns, StandardType};
///
/// let returns = ReturnType::from_json(r##"{
///     "type": "StringValue",
///     "schema": {"$ref": "#/$defs/StandardReturnTypes/StringValue"},
///     "description": "The slug",
///     "examples": ["a-slug"]
/// }"##)?;
/// assert_eq!(
///     returns.returns(),
///     &Returns::Standard { standard: StandardType::StringValue, refinement: None }
/// );
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub struct ReturnType {
    returns: Returns,
    description: Option<Box<str>>,
    examples: Vec<Value>,
    content_type: Option<Box<str>>,
    /// As it was written, so that it can be written back.
    source: Value,
}

document_methods!(ReturnType);

const STRUCTURE: Structure = Structure {
    name: "a return type object",
    required: &["type"],
    optional: &["schema", "description", "examples", "content_type"],
    foreign: &[],
};

impl ReturnType {
    /// What is promised.
    #[must_use]
    pub fn returns(&self) -> &Returns {
        &self.returns
    }

    /// What is said about the value.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Values that keep the promise.
    #[must_use]
    pub fn examples(&self) -> &[Value] {
        &self.examples
    }

    /// The MIME type of the value.
    #[must_use]
    pub fn content_type(&self) -> &str {
        self.content_type.as_deref().unwrap_or("application/json")
    }
}

impl Model for ReturnType {
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        if is_legacy(node) {
            return Some(read_legacy(node, report));
        }
        read_object(node, false, report)
    }

    fn write(&self, writer: &mut Writer, _: Form) {
        writer.raw(self.source.text());
    }
}

/// In a contract document a standard name implies its schema, and there is no form of ADL 1.0.
pub(crate) fn read_in_contract(node: Node<'_>, report: &mut Report) -> Option<ReturnType> {
    read_object(node, true, report)
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

fn read_object(node: Node<'_>, implied: bool, report: &mut Report) -> Option<ReturnType> {
    let fields = Fields::read(node, &STRUCTURE, report)?;
    let before = report.errors();
    let description = fields
        .optional_string("description", report)
        .map(Into::into);
    let content_type = content_type::read(&fields, report);
    let returns = read_returns(&fields, implied, report);
    let examples = read_examples(node, &fields, returns.as_ref(), report);
    let returns = returns?;
    advise_content_type(node, &returns, &fields, report);
    (report.errors() == before).then(|| ReturnType {
        source: with_schema(node, &returns),
        returns,
        description,
        examples,
        content_type,
    })
}

/// The object with the schema that its type implies, if it has none.
fn with_schema(node: Node<'_>, returns: &Returns) -> Value {
    let Returns::Standard { standard, .. } = returns else {
        return node.to_value();
    };
    if node.get("schema").is_some() {
        return node.to_value();
    }
    let mut writer = Writer::default();
    writer.begin_object();
    for (key, value) in node.members() {
        writer.key(&key).raw(value.text());
    }
    writer.key("schema").raw(&reference_to(*standard));
    writer.end_object();
    Value::trusted(writer)
}

fn reference_to(standard: StandardType) -> String {
    format!("{{\"$ref\": \"#/$defs/StandardReturnTypes/{standard}\"}}")
}

/// ADL 1.0 had a word and a description, and let anything stand beside them.
pub(crate) fn is_legacy(node: Node<'_>) -> bool {
    let word = node.get("type").and_then(Node::as_str);
    let new_form = node.get("schema").is_some()
        || node.get("examples").is_some()
        || node.get("content_type").is_some();
    let canonical = word.as_deref().map(TypeWord::parse);
    let new_word = matches!(
        canonical,
        Some(Some(TypeWord::Standard(_) | TypeWord::Custom))
    );
    node.kind() == Kind::Object && !new_form && !new_word
}

fn read_legacy(node: Node<'_>, report: &mut Report) -> ReturnType {
    let text = |name: &str| node.get(name).and_then(Node::as_str).map(Into::into);
    report.add(&rules::LEGACY, Place::Node(node.id()), |finding| {
        finding
            .say("expected a return type object with `type` and `schema`, found the form of ADL 1.0, which is not enforced")
            .advise("`toolpact migrate` rewrites it");
    });
    ReturnType {
        returns: Returns::Legacy {
            type_word: text("type"),
            description: text("description"),
        },
        description: text("description"),
        examples: Vec::new(),
        content_type: None,
        source: node.to_value(),
    }
}

fn read_returns(fields: &Fields<'_>, implied: bool, report: &mut Report) -> Option<Returns> {
    let type_node = fields.get("type")?.value;
    let word = read_word(type_node, report);
    let Some(schema) = fields.optional("schema", report) else {
        let word = word?;
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

/// What a `schema` promises on its own: a standard type, a narrower one, or something else.
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

/// The word and the schema must say the same.
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
    let schema_of_standard = standard.schema();
    let found = contradictions(schema_of_standard.as_value().root(), schema);
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
                        .advise("`toolpact returns pick` finds the one that fits");
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

fn read_examples(
    node: Node<'_>,
    fields: &Fields<'_>,
    returns: Option<&Returns>,
    report: &mut Report,
) -> Vec<Value> {
    let list = fields.optional("examples", report);
    let list = list.and_then(|list| expect(list, Kind::Array, "examples", report));
    let Some(list) = list else {
        if fields.get("examples").is_none() {
            report.add(&rules::NO_EXAMPLE, Place::Node(node.id()), |finding| {
                finding.say("expected at least one of `examples`, found none");
            });
        }
        return Vec::new();
    };
    if let Some(returns) = returns {
        let enforcer = returns.enforcer(Level::Meaning);
        list.items()
            .for_each(|example| enforcer.check_node(example, report));
    }
    list.items().map(Node::to_value).collect()
}

fn advise_content_type(
    node: Node<'_>,
    returns: &Returns,
    fields: &Fields<'_>,
    report: &mut Report,
) {
    let Returns::Standard { standard, .. } = returns else {
        return;
    };
    if standard.category() == Category::Binary && fields.get("content_type").is_none() {
        report.add(&rules::NO_CONTENT_TYPE, Place::Node(node.id()), |finding| {
            finding
                .say(format!(
                    "expected `content_type` beside {standard}, found none"
                ))
                .advise("for example \"content_type\": \"application/pdf\"");
        });
    }
}

/// For a message about a value that should be a promise.
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
