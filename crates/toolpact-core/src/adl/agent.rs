use std::collections::HashSet;
use std::sync::LazyLock;

use crate::check::Checker;
use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value, Writer};
use crate::model::{Form, Model, document_methods};
use crate::schema::JsonSchema;
use crate::text::shorten;
use crate::violation::rules::{adl as rules, structure};

use super::version::{CAPABILITIES, Later, later};
use super::{AdlTool, AdlVersion};

/// The definition of an agent, 1.0 to 3. Everything in it is kept as it was written.
///
/// ```
/// use toolpact_core::adl::AgentDocument;
///
/// let agent = AgentDocument::from_json(r##"{
///     "name": "echo_agent",
///     "description": "Repeats what it is told.",
///     "role": "Demo",
///     "llm": "any",
///     "llm_settings": {"temperature": 0, "max_tokens": 100},
///     "tools": [{
///         "name": "echo",
///         "description": "Returns the text.",
///         "parameters": [
///             {"name": "text", "type": "string", "description": "The text.", "required": true}
///         ],
///         "returns": {
///             "type": "StringValue",
///             "schema": {"$ref": "#/$defs/StandardReturnTypes/StringValue"},
///             "examples": ["Hello"]
///         }
///     }]
/// }"##)?;
/// assert_eq!(agent.tools().len(), 1);
/// assert_eq!(agent.tools()[0].name(), "echo");
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub struct AgentDocument {
    version: AdlVersion,
    tools: Vec<AdlTool>,
    source: Value,
}

document_methods!(AgentDocument);

impl AgentDocument {
    /// The version it is written in: the oldest that has all that it uses.
    #[must_use]
    pub fn version(&self) -> AdlVersion {
        self.version
    }

    /// Its tools.
    #[must_use]
    pub fn tools(&self) -> &[AdlTool] {
        &self.tools
    }

    /// The whole document as it was written.
    #[must_use]
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// Whether a document looks like an agent: it has a model, or tools and something of an agent.
    pub(crate) fn is_like(node: Node<'_>) -> bool {
        let has = |field: &str| node.get(field).is_some();
        let has_model = has("llm") || has("llm_settings");
        has_model || has("tools") && (has("role") || has("name"))
    }

    /// The list of tools, which later versions may have in a group.
    pub(crate) fn tools_in(node: Node<'_>) -> Option<Node<'_>> {
        let grouped = || node.get(CAPABILITIES)?.get("tools");
        let tools = node.get("tools").or_else(grouped)?;
        (tools.kind() == Kind::Array).then_some(tools)
    }
}

impl Model for AgentDocument {
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let before = report.errors();
        let version = check_shape(node, report);
        let tools = Self::tools_in(node)?;
        duplicate_names(tools, report);
        let read: Vec<_> = tools
            .items()
            .map(|tool| AdlTool::read(tool, report))
            .collect();
        let tools: Option<Vec<AdlTool>> = read.into_iter().collect();
        (report.errors() == before).then_some(Self {
            version,
            tools: tools?,
            source: node.to_value(),
        })
    }

    fn write(&self, writer: &mut Writer, _: Form) {
        writer.raw(self.source.text());
    }
}

/// The schemas of agent documents, returns left out: those have rules of their own.
const NEWEST: &str = include_str!("agent-1.5.schema.json");

/// The JSON Schema of agent documents, 1.5. What it says nothing about are returns.
pub(crate) fn json_schema() -> &'static str {
    NEWEST
}

static SCHEMAS: LazyLock<[(AdlVersion, Checker); 2]> = LazyLock::new(|| {
    let checker = |text: &str| JsonSchema::trusted(Value::embedded(text)).checker();
    [
        (
            AdlVersion::V1_0,
            checker(include_str!("agent-1.0.schema.json")),
        ),
        (AdlVersion::V1_5, checker(NEWEST)),
    ]
});

/// Of the versions that have a schema, the older one that fits. If none does, the errors are those under the
/// newest, unless something shows that the document is of a later version.
///
/// Typed returns are legal in 1.0, which lets anything stand in `returns`; so a document that was
/// migrated may keep what else it has of 1.0, such as a category in words.
fn check_shape(node: Node<'_>, report: &mut Report) -> AdlVersion {
    let [(_, oldest), (newest, newest_checker)] = &*SCHEMAS;
    if oldest.check_node(node, &mut Report::new(0)) {
        let typed = |tool: Node<'_>| {
            tool.get("returns")
                .is_some_and(|r| r.get("schema").is_some())
        };
        let uses_types = node
            .get("tools")
            .is_some_and(|tools| tools.items().any(typed));
        return if uses_types {
            AdlVersion::V1_5
        } else {
            AdlVersion::V1_0
        };
    }
    if let Some(later) = later(node) {
        check_later(node, &later, report);
        return later.version;
    }
    newest_checker.check_node(node, report);
    *newest
}

/// Later versions leave most to whoever writes them, and their tools are those of 1.5: only these are checked.
fn check_later(node: Node<'_>, later: &Later<'_>, report: &mut Report) {
    static TOOLS: LazyLock<Checker> = LazyLock::new(|| {
        let whole = Value::embedded(NEWEST);
        let part = |key: &str| whole.root().get(key).map_or("{}", |node| node.text());
        let tools = format!(
            r##"{{"type":"array","items":{{"$ref":"#/$defs/ToolDefinition"}},"$defs":{}}}"##,
            part("$defs")
        );
        JsonSchema::trusted(Value::embedded(&tools)).checker()
    });
    report.add(
        &rules::LATER_VERSION,
        Place::Node(later.node.id()),
        |finding| {
            finding.say(format!(
                "found `{}`, so it is read as ADL {}: its tools are checked, and the rest is kept as it is",
                later.field, later.version
            ));
        },
    );
    match AgentDocument::tools_in(node) {
        Some(tools) => {
            TOOLS.check_node(tools, report);
        }
        None => report.add(
            &structure::MISSING_FIELD,
            Place::Node(node.id()),
            |finding| {
                finding.say("expected a list `tools`, or one in `capabilities`, found none");
            },
        ),
    }
}

fn duplicate_names(tools: Node<'_>, report: &mut Report) {
    let mut seen = HashSet::new();
    for tool in tools.items() {
        let Some(node) = tool.get("name") else {
            continue;
        };
        let Some(name) = node.as_str() else { continue };
        if let Some(name) = seen.replace(name) {
            report.add(&rules::DUPLICATE_TOOL, Place::Node(node.id()), |finding| {
                finding.say(format!(
                    "expected each tool name once in an agent, found `{}` again",
                    shorten(&name)
                ));
            });
        }
    }
}
