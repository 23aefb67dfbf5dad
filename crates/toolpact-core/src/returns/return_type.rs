use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value, Writer};
use crate::model::{Fields, Form, Model, Structure, document_methods, expect};
use crate::schema::JsonSchema;
use crate::violation::rules::returns as rules;

use super::resolve::{reference_to, resolve};
use super::type_word::TypeWord;
use super::{Category, Level, Returns, content_type};

/// A return type object of ADL 1.5: the contract for results, and its description.
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
    /// As it was written, to be written back unchanged. Without it, it is a schema and nothing else.
    source: Option<Value>,
}

document_methods!(ReturnType);

const STRUCTURE: Structure = Structure {
    name: "a return type object",
    required: &["type"],
    optional: &["schema", "description", "examples", "content_type"],
    foreign: &[],
};

impl ReturnType {
    /// The contract for results.
    #[must_use]
    pub fn returns(&self) -> &Returns {
        &self.returns
    }

    /// The description of the value.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Example values.
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
        if let Some(source) = &self.source {
            writer.raw(source.text());
            return;
        }
        writer.begin_object();
        writer.key("type").string("Custom");
        if let Returns::Custom(schema) = &self.returns {
            writer.key("schema").raw(schema.to_value().text());
        }
        writer.end_object();
    }
}

impl From<JsonSchema> for ReturnType {
    fn from(schema: JsonSchema) -> Self {
        Self {
            returns: Returns::Custom(schema),
            description: None,
            examples: Vec::new(),
            content_type: None,
            source: None,
        }
    }
}

/// In a contract document a standard name implies its schema, and the ADL 1.0 form is not allowed.
pub(crate) fn read_in_contract(node: Node<'_>, report: &mut Report) -> Option<ReturnType> {
    read_object(node, true, report)
}

fn read_object(node: Node<'_>, implied: bool, report: &mut Report) -> Option<ReturnType> {
    let fields = Fields::read(node, &STRUCTURE, report)?;
    let before = report.errors();
    let description = fields
        .optional_string("description", report)
        .map(Into::into);
    let content_type = content_type::read(&fields, report);
    let returns = resolve(&fields, implied, report);
    let examples = read_examples(node, &fields, returns.as_ref(), report);
    let returns = returns?;
    advise_content_type(node, &returns, &fields, report);
    (report.errors() == before).then(|| ReturnType {
        source: Some(with_schema(node, &returns)),
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

/// Whether an object alone is recognisable as a return type object: the ADL 1.0 form is not.
pub(crate) fn is_return_type(node: Node<'_>) -> bool {
    let known = |key: &str| STRUCTURE.required.contains(&key) || STRUCTURE.optional.contains(&key);
    let word = node.get("type").and_then(Node::as_str);
    let is_promise = matches!(
        word.as_deref().map(TypeWord::parse),
        Some(Some(TypeWord::Standard(_) | TypeWord::Custom))
    );
    let has_schema = node.get("schema").is_some_and(|s| s.kind() == Kind::Object);
    let mut keys = node.members().map(|(key, _)| key);
    word.is_some() && (is_promise || has_schema) && keys.all(|key| known(&key))
}

/// ADL 1.0 had a type word and a description, and allowed any other keys.
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
        source: Some(node.to_value()),
    }
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
