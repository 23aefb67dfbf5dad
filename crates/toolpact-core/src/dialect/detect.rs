//! Which dialect a document is in, and where its tools are.

use std::borrow::Cow;

use crate::Pointer;
use crate::contract::ContractDocument;
use crate::json::{Kind, Node};
use crate::model::describe;
use crate::text::list;
use crate::violation::report::{Place, Report};
use crate::violation::rules::structure as rules;

use super::adm;
use super::list::Dialect;

/// A tool in a document: what it is, where, and in which dialect, if it is in any.
pub(super) type Tool<'a> = (Node<'a>, Pointer, Option<Dialect>);

/// The tools of a document in this dialect, or in the one it looks like.
pub(super) fn tools<'a>(
    node: Node<'a>,
    dialect: Option<Dialect>,
    report: &mut Report,
) -> Option<Vec<Tool<'a>>> {
    if node.get("toolpact").is_some() {
        let list = ContractDocument::read_list(node, report)?;
        let place = Pointer::root().key("tools");
        return Some(each(list, &place, dialect.or(Some(Dialect::Contract))));
    }
    let mut found = Vec::new();
    collect(node, &Pointer::root(), dialect, &mut found, 0);
    if found.iter().all(|(_, _, dialect)| dialect.is_none()) {
        unknown(node, dialect, report);
        return None;
    }
    Some(found)
}

/// The keys that lists of tools are under.
const LISTS: [&str; 4] = [
    "functionDeclarations",
    "function_declarations",
    "tools",
    "functions",
];

fn collect<'a>(
    node: Node<'a>,
    place: &Pointer,
    dialect: Option<Dialect>,
    found: &mut Vec<Tool<'a>>,
    depth: usize,
) {
    // An answer of a server, with a page of tools in it, in a list.
    if depth > 4 {
        return;
    }
    if node.kind() == Kind::Array {
        for (i, item) in node.items().enumerate() {
            collect(item, &place.index(i), dialect, found, depth + 1);
        }
        return;
    }
    if let Some(result) = node.get("result").filter(|_| node.get("jsonrpc").is_some()) {
        collect(result, &place.key("result"), dialect, found, depth + 1);
        return;
    }
    let is_tool =
        node.get("name").is_some() && node.get("llm").is_none() && node.get("role").is_none();
    for key in LISTS.into_iter().filter(|_| !is_tool) {
        if let Some(list) = node.get(key).filter(|list| list.kind() == Kind::Array) {
            collect(list, &place.key(key), dialect, found, depth + 1);
            return;
        }
    }
    // A tool of a kind that nobody knows is named, and not passed over.
    found.push((node, place.clone(), dialect.or_else(|| dialect_of(node))));
}

fn each<'a>(list: Node<'a>, place: &Pointer, dialect: Option<Dialect>) -> Vec<Tool<'a>> {
    let items = list.items().enumerate();
    items
        .map(|(i, item)| (item, place.index(i), dialect))
        .collect()
}

/// The dialect that a tool looks like.
fn dialect_of(tool: Node<'_>) -> Option<Dialect> {
    let has = |field: &str| tool.get(field).is_some();
    let strict = |node: Node<'_>| node.get("strict").and_then(Node::as_bool) == Some(true);
    if has("inputSchema") {
        return Some(Dialect::Mcp);
    }
    if has("input_schema") {
        return Some(if strict(tool) {
            Dialect::AnthropicStrict
        } else {
            Dialect::Anthropic
        });
    }
    if let Some(function) = tool.get("function").filter(|f| f.kind() == Kind::Object) {
        return Some(if strict(function) {
            Dialect::OpenAiChatStrict
        } else {
            Dialect::OpenAiChat
        });
    }
    let is_function = tool
        .get("type")
        .and_then(Node::as_str)
        .is_some_and(|t| t == "function");
    if is_function {
        return Some(if strict(tool) {
            Dialect::OpenAiStrict
        } else {
            Dialect::OpenAi
        });
    }
    if has("parametersJsonSchema") || has("parameters_json_schema") {
        return Some(Dialect::GeminiJson);
    }
    if has("input") || has("output") {
        return Some(Dialect::JsonSchema);
    }
    if has("returns")
        && !tool
            .get("parameters")
            .is_some_and(|p| p.kind() == Kind::Array)
    {
        return Some(Dialect::Contract);
    }
    by_parameters(tool)
}

/// All that is left to tell them apart is what the parameters look like.
fn by_parameters(tool: Node<'_>) -> Option<Dialect> {
    let Some(parameters) = tool.get("parameters") else {
        let bare = tool.get("name").is_some() && tool.get("description").is_some();
        return bare.then_some(Dialect::Gemini);
    };
    if parameters.kind() == Kind::Array {
        return Some(Dialect::Adl);
    }
    let upper = parameters
        .get("type")
        .and_then(Node::as_str)
        .is_some_and(|t| adm::is_type(&t));
    if !upper {
        return Some(Dialect::OpenAi);
    }
    let more = tool.get("response").is_some() || !is_adm(parameters);
    Some(if more { Dialect::Gemini } else { Dialect::Adm })
}

/// Whether a schema uses the words of ADM and no others.
fn is_adm(schema: Node<'_>) -> bool {
    let words = [
        "type",
        "description",
        "properties",
        "required",
        "items",
        "enum",
    ];
    crate::schema::subschemas(schema)
        .into_iter()
        .all(|schema| schema.members().all(|(key, _)| words.contains(&&*key)))
}

/// The name of a tool in any dialect.
pub(super) fn name_of(tool: Node<'_>) -> Option<Cow<'_, str>> {
    let name = tool
        .get("name")
        .or_else(|| tool.get("function")?.get("name"));
    name.and_then(Node::as_str)
}

pub(super) fn unknown(node: Node<'_>, dialect: Option<Dialect>, report: &mut Report) {
    report.add(&rules::UNKNOWN_KIND, Place::Node(node.id()), |finding| {
        let found = match node.kind() {
            Kind::Object => "an object with none of their fields".to_owned(),
            Kind::Array => "a list without any".to_owned(),
            _ => describe(node),
        };
        let names = Dialect::ALL.iter().map(|dialect| dialect.as_str());
        let wanted = dialect.map_or_else(|| list(names), |dialect| dialect.as_str().to_owned());
        finding
            .say(format!(
                "expected tools in the words of {wanted}, found {found}"
            ))
            .advise("say which it is with `--from`");
    });
}
