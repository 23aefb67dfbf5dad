//! Finds the tools of a document and detects the dialect of each.

use std::borrow::Cow;

use crate::Pointer;
use crate::adl::CAPABILITIES;
use crate::contract::ContractDocument;
use crate::json::report::Report;
use crate::json::{Kind, Node};
use crate::model::SchemaType;

use super::dialects::Dialect;
use super::spec::Candidate;

/// A tool in a document: its node, its place, and its dialect, if known.
pub(super) type Tool<'a> = (Node<'a>, Pointer, Option<Dialect>);

/// Deepest nesting of lists: a server response, with a page of tools, with declarations.
const DEEPEST: usize = 4;

/// The member of a request to Bedrock that has the tools.
pub(crate) const TOOL_CONFIG: &str = "toolConfig";

/// The list of tools in an object, and its key.
pub(crate) fn list_in(node: Node<'_>) -> Option<(&'static str, Node<'_>)> {
    let has = |field: &str| node.get(field).is_some();
    // A tool may have such a member too; an agent is not a tool.
    if has("name") && !has("llm") && !has("role") {
        return None;
    }
    let keys = Dialect::ALL.iter().flat_map(|one| one.spec().list_keys);
    let mut lists = keys.filter_map(|key| Some((*key, node.get(key)?)));
    lists.find(|(_, list)| list.kind() == Kind::Array)
}

/// The tools of a document in the given dialect, or in the one detected for each. `None` after
/// reporting a contract document whose list cannot be read.
pub(super) fn tools<'a>(
    node: Node<'a>,
    dialect: Option<Dialect>,
    report: &mut Report,
) -> Option<Vec<Tool<'a>>> {
    let mut found = Vec::new();
    if node.get("toolpact").is_some() {
        let list = ContractDocument::read_list(node, report)?;
        let dialect = dialect.or(Some(Dialect::Contract));
        let place = Pointer::root().key("tools");
        let items = list.items().enumerate();
        found.extend(items.map(|(i, item)| (item, place.index(i), dialect)));
    } else {
        collect(node, &Pointer::root(), None, 0, &mut found);
        for (_, _, own) in &mut found {
            *own = dialect.or(*own);
        }
    }
    Some(found)
}

fn collect<'a>(
    node: Node<'a>,
    place: &Pointer,
    key: Option<&str>,
    depth: usize,
    found: &mut Vec<Tool<'a>>,
) {
    if depth > DEEPEST {
        return;
    }
    if node.kind() == Kind::Array {
        for (i, item) in node.items().enumerate() {
            collect(item, &place.index(i), key, depth + 1, found);
        }
    } else if let Some(result) = node.get("result").filter(|_| node.get("jsonrpc").is_some()) {
        collect(result, &place.key("result"), key, depth + 1, found);
    } else if let Some(config) = node.get(TOOL_CONFIG) {
        collect(config, &place.key(TOOL_CONFIG), key, depth + 1, found);
    } else if let Some(group) = node.get(CAPABILITIES).filter(|_| is_agent(node)) {
        collect(group, &place.key(CAPABILITIES), key, depth + 1, found);
    } else if let Some((key, list)) = list_in(node) {
        collect(list, &place.key(key), Some(key), depth + 1, found);
    } else {
        // A tool of unknown dialect is kept, so that it can be reported.
        let dialect = dialect_of(node, key).map(|(dialect, _)| dialect);
        found.push((node, place.clone(), dialect));
    }
}

/// Whether it is an agent of ADL 2 or later, whose tools are in a group.
fn is_agent(node: Node<'_>) -> bool {
    let group = node.get(CAPABILITIES);
    node.get("llm").is_some() && group.is_some_and(|group| group.get("tools").is_some())
}

/// Detects the dialect of a tool in a list under this key, and whether that is certain. Of equally
/// strong claims, the last one wins: stricter dialects are listed later.
pub(crate) fn dialect_of(tool: Node<'_>, list: Option<&str>) -> Option<(Dialect, bool)> {
    let claims = Dialect::ALL.iter().filter_map(|dialect| {
        let claim = (dialect.spec().claims)(Candidate { tool, list })?;
        Some((claim, *dialect))
    });
    let (claim, dialect) = claims.max_by_key(|(claim, _)| claim.by)?;
    Some((dialect, claim.is_certain))
}

/// How types in schemas are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Spelling {
    /// Some in upper case, as in ADM and Gemini.
    pub(crate) upper: bool,
    /// Some in lower case, as in JSON Schema.
    pub(crate) lower: bool,
}

impl Spelling {
    /// All in lower case, as in JSON Schema.
    pub(crate) const LOWER: Self = Self {
        upper: false,
        lower: true,
    };

    pub(crate) fn of(schema: Node<'_>) -> Self {
        let mut spelling = Self::default();
        spelling.look_at(schema);
        spelling
    }

    pub(crate) fn look_at(&mut self, schema: Node<'_>) {
        for schema in crate::schema::subschemas(schema) {
            let Some(word) = schema.get("type").and_then(Node::as_str) else {
                continue;
            };
            if is_json_type(&word) {
                self.lower = true;
            } else if is_json_type(&word.to_ascii_lowercase()) {
                self.upper = true;
            }
        }
    }
}

/// Whether a word is a JSON Schema type.
pub(crate) fn is_json_type(word: &str) -> bool {
    let is_adm = |known: &SchemaType| known.as_str().to_ascii_lowercase() == word;
    word == "null" || SchemaType::ALL.iter().any(is_adm)
}

/// Whether a document is OpenAPI or Swagger.
pub(crate) fn is_openapi(node: Node<'_>) -> bool {
    node.get("openapi").is_some() || node.get("swagger").is_some()
}

/// The members that define a tool in some dialects.
const DEFINITIONS: [&str; 2] = ["function", super::bedrock::TOOL_SPEC];

/// The object that defines a tool: `function`, `toolSpec`, or the tool itself.
pub(super) fn definition(tool: Node<'_>) -> Node<'_> {
    let mut inside = DEFINITIONS.iter().filter_map(|key| tool.get(key));
    inside.next().unwrap_or(tool)
}

/// Where the object that defines a tool is.
pub(super) fn definition_place(tool: Node<'_>, place: &Pointer) -> Pointer {
    let key = DEFINITIONS.iter().find(|key| tool.get(key).is_some());
    key.map_or_else(|| place.clone(), |key| place.key(key))
}

/// Whether it is a list.
pub(super) fn is_list(node: Node<'_>) -> bool {
    node.kind() == Kind::Array
}

/// The name of a tool in any dialect.
pub(super) fn name_of(tool: Node<'_>) -> Option<Cow<'_, str>> {
    let name = tool.get("name").or_else(|| definition(tool).get("name"));
    name.and_then(Node::as_str)
}

/// What the provider calls a list entry that is a hosted tool: run by the provider, with nothing to check.
pub(super) fn hosted(entry: Node<'_>) -> Option<Cow<'_, str>> {
    let kind = entry.get("type").and_then(Node::as_str);
    if let Some(kind) = kind.filter(|kind| !is_json_type(kind) && kind != "function") {
        return Some(kind);
    }
    // `{"googleSearch": {}}`
    let mut members = entry.members();
    let (key, value) = members.next()?;
    (value.kind() == Kind::Object && members.next().is_none()).then_some(key)
}
