//! The kind of a document, by its fields. This is the only place that decides it.

use crate::adl::AgentDocument;
use crate::dialect::{Dialect, shape};
use crate::json::{Kind, Node};
use crate::lock::Lock;
use crate::returns::is_return_type;
use crate::text::words;
use crate::violation::nearest::nearest;

use super::DocumentKind;

/// The detected kind of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detection {
    /// Its kind.
    pub kind: DocumentKind,
    /// Whether it is certain. A guess is good enough to read a document that somebody named, but
    /// not to change one.
    pub is_certain: bool,
}

/// The deepest nesting of lists: a server's response, with a page of tools, with declarations.
const DEEPEST: usize = 4;

impl DocumentKind {
    /// The kind that a document looks like, by its fields.
    ///
    /// ```
    /// use toolpact_core::document::DocumentKind;
    /// use toolpact_core::json::Value;
    ///
    /// let call = Value::from_json(r#"{"name": "ping", "args": {}}"#)?;
    /// assert_eq!(DocumentKind::of(call.root()), Some(DocumentKind::Call));
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn of(node: Node<'_>) -> Option<Self> {
        Self::detect(node).map(|found| found.kind)
    }

    /// The same, and whether it is certain.
    ///
    /// ```
    /// use toolpact_core::dialect::Dialect;
    /// use toolpact_core::document::DocumentKind;
    /// use toolpact_core::json::Value;
    ///
    /// let tools = Value::from_json(r#"[{"type": "function", "name": "ping"}]"#)?;
    /// let found = DocumentKind::detect(tools.root()).unwrap();
    /// assert_eq!(found.kind, DocumentKind::Tools(Dialect::OpenAi));
    /// assert!(found.is_certain);
    ///
    /// let package = Value::from_json(r#"{"name": "app", "type": "module"}"#)?;
    /// assert_eq!(DocumentKind::detect(package.root()), None);
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn detect(node: Node<'_>) -> Option<Detection> {
        detect(node, 0)
    }
}

/// The documents in a text, and the kind of each: the elements of an array, unless the array is a
/// list of tools; otherwise the whole.
#[must_use]
pub fn parts(root: Node<'_>) -> Vec<(Node<'_>, Option<Detection>)> {
    let whole = DocumentKind::detect(root);
    if whole.is_some() || root.kind() != Kind::Array {
        return vec![(root, whole)];
    }
    let items = root.items();
    items
        .map(|item| (item, DocumentKind::detect(item)))
        .collect()
}

fn detect(node: Node<'_>, depth: usize) -> Option<Detection> {
    match node.kind() {
        Kind::Array if depth < DEEPEST => list_of_tools(node, depth),
        Kind::Object if depth < DEEPEST => object(node, depth),
        _ => None,
    }
}

/// An array is one document if it contains tools of a provider.
fn list_of_tools(list: Node<'_>, depth: usize) -> Option<Detection> {
    let items: Vec<_> = list.items().map(|item| detect(item, depth + 1)).collect();
    let is_tools = |found: &Detection| matches!(found.kind, DocumentKind::Tools(_));
    let first = items.iter().flatten().find(|found| is_tools(found))?;
    let mut known = items.iter().flatten();
    Some(Detection {
        kind: first.kind,
        is_certain: known.all(|found| is_tools(found) && found.is_certain),
    })
}

fn object(node: Node<'_>, depth: usize) -> Option<Detection> {
    let has = |field: &str| node.get(field).is_some();
    if has("toolpact") {
        return certain(DocumentKind::Contract);
    }
    if Lock::is_like(node) {
        return certain(DocumentKind::Lock);
    }
    if shape::is_openapi(node) {
        return certain(DocumentKind::Tools(Dialect::OpenApi));
    }
    if has("$schema") && text(node, "$schema").is_some_and(|url| url.contains("json-schema.org")) {
        return certain(DocumentKind::JsonSchema);
    }
    if has("llm") || has("llm_settings") {
        return certain(DocumentKind::Agent);
    }
    wrapped(node, depth)
        .or_else(|| AgentDocument::is_like(node).then(|| guess(DocumentKind::Agent))?)
        .or_else(|| return_type(node))
        .or_else(|| tool(node))
        .or_else(|| message(node))
        .or_else(|| schema(node))
}

/// Tools in a wrapper.
fn wrapped(node: Node<'_>, depth: usize) -> Option<Detection> {
    if let Some(result) = node.get("result").filter(|_| node.get("jsonrpc").is_some()) {
        return detect(result, depth + 1);
    }
    if let Some(config) = node.get(shape::TOOL_CONFIG) {
        return detect(config, depth + 1);
    }
    let (key, list) = shape::list_in(node)?;
    match key {
        "functionDeclarations" => certain(DocumentKind::Tools(Dialect::Gemini)),
        "function_declarations" if list.items().any(is_only_gemini) => {
            certain(DocumentKind::Tools(Dialect::Gemini))
        }
        "function_declarations" if are_lower_case(list) => {
            certain(DocumentKind::Tools(Dialect::Gemini))
        }
        "function_declarations" => certain(DocumentKind::Tool),
        _ => list_of_tools(list, depth).or_else(|| declarations(list, depth)),
    }
}

/// ADM declarations in a list that is not an ADM document.
fn declarations(list: Node<'_>, depth: usize) -> Option<Detection> {
    let mut found = list.items().filter_map(|item| detect(item, depth + 1));
    let is_adm = |kind| matches!(kind, DocumentKind::Tool | DocumentKind::Declaration);
    let is_certain = found.find(|found| is_adm(found.kind))?.is_certain;
    let kind = DocumentKind::Tools(Dialect::Adm);
    Some(Detection { kind, is_certain })
}

/// Whether a declaration has features of Gemini that neither ADM nor JSON Schema has.
fn is_only_gemini(declaration: Node<'_>) -> bool {
    const FIELDS: [&str; 3] = ["response", "parameters_json_schema", "parametersJsonSchema"];
    const WORDS: &[&str] = words!("nullable any_of property_ordering propertyOrdering");
    let has = |node: Node<'_>, names: &[&str]| names.iter().any(|name| node.get(name).is_some());
    has(declaration, &FIELDS)
        || declaration.get("parameters").is_some_and(|parameters| {
            let schemas = crate::schema::subschemas(parameters);
            schemas.into_iter().any(|schema| has(schema, WORDS))
        })
}

/// Whether types are given, and all of them are those of JSON Schema.
fn are_lower_case(declarations: Node<'_>) -> bool {
    let parameters = declarations.items().filter_map(|one| one.get("parameters"));
    let mut spelling = shape::Spelling::default();
    parameters.for_each(|schema| spelling.look_at(schema));
    spelling == shape::Spelling::LOWER
}

/// A tool on its own.
fn tool(node: Node<'_>) -> Option<Detection> {
    let (dialect, is_certain) = shape::dialect_of(node, None)?;
    // Gemini has no form of its own for these two, and no list identifies them as its.
    let kind = match dialect {
        Dialect::Adm => DocumentKind::Declaration,
        Dialect::Gemini if !is_only_gemini(node) => DocumentKind::Declaration,
        other => DocumentKind::Tools(other),
    };
    Some(Detection { kind, is_certain })
}

fn message(node: Node<'_>) -> Option<Detection> {
    let has = |field: &str| node.get(field).is_some();
    let is_object = |field: &str| node.get(field).is_some_and(|v| v.kind() == Kind::Object);
    let named = text(node, "name").is_some();
    if has("args") && (named || is_object("args")) && !has("command") {
        let is_certain = named && is_object("args");
        let kind = DocumentKind::Call;
        return Some(Detection { kind, is_certain });
    }
    let known = |status: &str| matches!(status, "SUCCESS" | "ERROR");
    let status = text(node, "status").is_some_and(|status| known(&status));
    let is_result = status || has("name") && (has("status") || has("content") || has("error"));
    is_result.then_some(Detection {
        kind: DocumentKind::Result,
        is_certain: status && named,
    })
}

/// A return type object, or the member `returns` of a tool without the tool.
fn return_type(node: Node<'_>) -> Option<Detection> {
    is_return_type(super::return_type_in(node)).then(|| certain(DocumentKind::ReturnType))?
}

fn schema(node: Node<'_>) -> Option<Detection> {
    let Some(types) = node.get("type") else {
        let untyped = [
            "$ref",
            "$defs",
            "properties",
            "anyOf",
            "oneOf",
            "allOf",
            "enum",
        ];
        let is_schema = untyped.iter().any(|keyword| node.get(keyword).is_some());
        return is_schema.then(|| guess(DocumentKind::JsonSchema))?;
    };
    let Some(word) = types.as_str() else {
        let is_list = types.kind() == Kind::Array;
        return is_list.then(|| guess(DocumentKind::JsonSchema))?;
    };
    let spelling = shape::Spelling::of(node);
    if spelling.upper {
        return certain(DocumentKind::Schema);
    }
    if shape::is_json_type(&word) {
        let says_more = ["properties", "items", "required", "enum"];
        return Some(Detection {
            kind: DocumentKind::JsonSchema,
            is_certain: says_more.iter().any(|keyword| node.get(keyword).is_some()),
        });
    }
    // A misspelled type of ADM. Otherwise such words are found in documents of all sorts.
    let is_upper = !word.chars().any(char::is_lowercase);
    let meant = nearest(
        &word,
        crate::model::SchemaType::ALL.iter().map(|t| t.as_str()),
    );
    (is_upper && meant.is_some()).then(|| certain(DocumentKind::Schema))?
}

fn text<'a>(node: Node<'a>, field: &str) -> Option<std::borrow::Cow<'a, str>> {
    node.get(field).and_then(Node::as_str)
}

#[expect(clippy::unnecessary_wraps, reason = "every caller returns an option")]
fn certain(kind: DocumentKind) -> Option<Detection> {
    let is_certain = true;
    Some(Detection { kind, is_certain })
}

#[expect(clippy::unnecessary_wraps, reason = "every caller returns an option")]
fn guess(kind: DocumentKind) -> Option<Detection> {
    let is_certain = false;
    Some(Detection { kind, is_certain })
}
