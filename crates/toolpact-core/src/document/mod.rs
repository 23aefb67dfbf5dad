//! Every kind of document, in one place: what it is, how it is read, and its JSON Schema.

mod detect;
mod tools;

use crate::adl::{self, AgentDocument};
use crate::contract::{self, ContractDocument};
use crate::dialect::Dialect;
use crate::json::report::{Place, Report};
use crate::json::{Document, Kind, Node, Value};
use crate::lock::Lock;
use crate::model::{
    Digest, FunctionCall, FunctionDeclaration, Model as _, Schema, ToolDocument, ToolResult,
    describe, structure_json_schema,
};
use crate::returns::{Level, ReturnType, Returns, StandardType};
use crate::schema::JsonSchema;
use crate::text::list;
use crate::violation::Checked;
use crate::violation::rules::structure as rules;

pub use detect::{Detection, parts};
pub use tools::ToolsDocument;

/// The kinds of document that toolpact reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentKind {
    /// [`ToolDocument`]
    Tool,
    /// [`FunctionDeclaration`]
    Declaration,
    /// [`Schema`]
    Schema,
    /// [`FunctionCall`]
    Call,
    /// [`ToolResult`]
    Result,
    /// [`ContractDocument`]
    Contract,
    /// [`Lock`]
    Lock,
    /// [`AgentDocument`]
    Agent,
    /// [`ReturnType`]: what a tool returns, without the tool.
    ReturnType,
    /// [`JsonSchema`]
    JsonSchema,
    /// Tools in the format of a provider or a protocol: [`ToolsDocument`].
    Tools(Dialect),
    /// A value that a tool returned, to be checked against a standard type.
    ReturnValue(StandardType),
}

/// A document of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnyDocument {
    /// A tool.
    Tool(ToolDocument),
    /// A function declaration.
    Declaration(FunctionDeclaration),
    /// A schema.
    Schema(Schema),
    /// A call.
    Call(FunctionCall),
    /// A result.
    Result(ToolResult),
    /// A contract document.
    Contract(ContractDocument),
    /// A lock.
    Lock(Lock),
    /// An ADL agent with its tools.
    Agent(AgentDocument),
    /// A return type object.
    ReturnType(ReturnType),
    /// A JSON Schema.
    JsonSchema(JsonSchema),
    /// Tools of a provider or a protocol.
    Tools(ToolsDocument),
    /// A value of a standard return type.
    ReturnValue(StandardType, Value),
}

impl DocumentKind {
    /// The kinds whose structure has a JSON Schema, [`DocumentKind::json_schema`].
    pub const STRUCTURES: [DocumentKind; 7] = [
        DocumentKind::Tool,
        DocumentKind::Declaration,
        DocumentKind::Schema,
        DocumentKind::Call,
        DocumentKind::Result,
        DocumentKind::Contract,
        DocumentKind::Agent,
    ];

    /// All kinds that can be detected by their fields.
    pub fn all() -> impl Iterator<Item = DocumentKind> {
        let others = [
            DocumentKind::Lock,
            DocumentKind::ReturnType,
            DocumentKind::JsonSchema,
        ];
        let tools = Dialect::ALL.iter().copied().map(DocumentKind::Tools);
        // Each kind has only one word.
        let tools = tools.filter(|kind| *kind != DocumentKind::Tools(Dialect::Contract));
        Self::STRUCTURES.into_iter().chain(others).chain(tools)
    }

    /// The word for it: `tool`, `json-schema`, `return-type` or the name of a dialect.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            DocumentKind::Tool => "tool",
            DocumentKind::Declaration => "declaration",
            DocumentKind::Schema => "schema",
            DocumentKind::Call => "call",
            DocumentKind::Result => "result",
            DocumentKind::Contract => "contract",
            DocumentKind::Lock => "lock",
            DocumentKind::Agent => "agent",
            DocumentKind::ReturnType => "return-type",
            DocumentKind::JsonSchema => "json-schema",
            DocumentKind::Tools(dialect) => dialect.as_str(),
            DocumentKind::ReturnValue(standard) => standard.name(),
        }
    }

    /// The kind in a sentence: "a function call".
    #[must_use]
    pub fn describe(self) -> String {
        let words = match self {
            DocumentKind::Tool => "an ADM tool",
            DocumentKind::Declaration => "an ADM function declaration",
            DocumentKind::Schema => "an ADM schema",
            DocumentKind::Call => "a function call",
            DocumentKind::Result => "a tool result",
            DocumentKind::Contract => "a contract document",
            DocumentKind::Lock => "a lock",
            DocumentKind::Agent => "an ADL agent",
            DocumentKind::ReturnType => "a return type object",
            DocumentKind::JsonSchema => "a JSON Schema",
            DocumentKind::Tools(dialect) => return format!("tools of `{dialect}`"),
            DocumentKind::ReturnValue(standard) => return format!("a value of {standard}"),
        };
        words.to_owned()
    }

    /// The kind of this word; the name of a standard type means a value of it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let known = Self::all().find(|kind| kind.as_str() == name);
        known.or_else(|| StandardType::from_name(name).map(DocumentKind::ReturnValue))
    }

    /// The dialect of the tools in such a document; `None` if it has no tools.
    #[must_use]
    pub fn dialect(self) -> Option<Dialect> {
        match self {
            DocumentKind::Tool | DocumentKind::Declaration => Some(Dialect::Adm),
            DocumentKind::Contract | DocumentKind::Lock => Some(Dialect::Contract),
            DocumentKind::Agent => Some(Dialect::Adl),
            DocumentKind::Tools(dialect) => Some(dialect),
            DocumentKind::Schema
            | DocumentKind::Call
            | DocumentKind::Result
            | DocumentKind::ReturnType
            | DocumentKind::JsonSchema
            | DocumentKind::ReturnValue(_) => None,
        }
    }

    /// The JSON Schema (2020-12) of this kind of document, for editors and other languages.
    ///
    /// It cannot express everything: unique names within a tool, that `required` names properties,
    /// and what strict JSON forbids, are left to `toolpact check`. `None` for kinds that others
    /// define.
    #[must_use]
    pub fn json_schema(self) -> Option<String> {
        let (title, name) = match self {
            DocumentKind::Tool => ("ADM tool", "Tool"),
            DocumentKind::Declaration => ("ADM function declaration", "FunctionDeclaration"),
            DocumentKind::Schema => ("ADM schema", "Schema"),
            DocumentKind::Call => ("ADM function call", "FunctionCall"),
            DocumentKind::Result => ("ADM tool result", "ToolResult"),
            DocumentKind::Contract => return Some(contract::json_schema().to_owned()),
            DocumentKind::Agent => return Some(adl::json_schema().to_owned()),
            DocumentKind::ReturnValue(standard) => return Some(standard.schema_text().to_owned()),
            DocumentKind::Lock
            | DocumentKind::ReturnType
            | DocumentKind::JsonSchema
            | DocumentKind::Tools(_) => {
                return None;
            }
        };
        Some(structure_json_schema(title, name))
    }
}

impl AnyDocument {
    /// Reads a document of the kind given, or of the kind it looks like.
    #[must_use]
    pub fn check(document: &Document, kind: Option<DocumentKind>) -> Checked<AnyDocument> {
        document.check(|node, report| {
            let kind = kind.or_else(|| DocumentKind::of(node));
            AnyDocument::read(node, kind, report)
        })
    }

    /// Reads each of the [`parts`] of a document: the elements of an array, or the whole.
    #[must_use]
    pub fn check_each(
        document: &Document,
        kind: Option<DocumentKind>,
    ) -> Checked<Vec<AnyDocument>> {
        document.check(|node, report| {
            let nodes: Vec<(Node<'_>, Option<DocumentKind>)> = match kind {
                None => {
                    let parts = parts(node).into_iter();
                    let found = |found: Option<Detection>| found.map(|found| found.kind);
                    parts.map(|(node, kind)| (node, found(kind))).collect()
                }
                Some(kind) if node.kind() == Kind::Array && !kind.may_be_array() => {
                    node.items().map(|item| (item, Some(kind))).collect()
                }
                Some(kind) => vec![(node, Some(kind))],
            };
            // All are read before a failed one fails the whole.
            let read: Vec<_> = nodes
                .into_iter()
                .map(|(node, kind)| AnyDocument::read(node, kind, report))
                .collect();
            read.into_iter().collect()
        })
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> DocumentKind {
        match self {
            AnyDocument::Tool(_) => DocumentKind::Tool,
            AnyDocument::Declaration(_) => DocumentKind::Declaration,
            AnyDocument::Schema(_) => DocumentKind::Schema,
            AnyDocument::Call(_) => DocumentKind::Call,
            AnyDocument::Result(_) => DocumentKind::Result,
            AnyDocument::Contract(_) => DocumentKind::Contract,
            AnyDocument::Lock(_) => DocumentKind::Lock,
            AnyDocument::Agent(_) => DocumentKind::Agent,
            AnyDocument::ReturnType(_) => DocumentKind::ReturnType,
            AnyDocument::JsonSchema(_) => DocumentKind::JsonSchema,
            AnyDocument::Tools(tools) => DocumentKind::Tools(tools.dialect()),
            AnyDocument::ReturnValue(standard, _) => DocumentKind::ReturnValue(*standard),
        }
    }

    /// The canonical text, the same for all spellings.
    #[must_use]
    pub fn to_canonical(&self) -> String {
        match self {
            AnyDocument::Tool(tool) => tool.to_canonical(),
            AnyDocument::Declaration(declaration) => declaration.to_canonical(),
            AnyDocument::Schema(schema) => schema.to_canonical(),
            AnyDocument::Call(call) => call.to_canonical(),
            AnyDocument::Result(result) => result.to_canonical(),
            AnyDocument::Contract(contract) => contract.to_canonical(),
            AnyDocument::Lock(lock) => lock.to_canonical(),
            AnyDocument::Agent(agent) => agent.to_canonical(),
            AnyDocument::ReturnType(object) => object.to_canonical(),
            AnyDocument::JsonSchema(schema) => schema.to_value().to_canonical(),
            AnyDocument::Tools(tools) => tools.source().to_canonical(),
            AnyDocument::ReturnValue(_, value) => value.to_canonical(),
        }
    }

    /// SHA-256 of the canonical form.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.to_canonical().as_bytes())
    }

    fn read(node: Node<'_>, kind: Option<DocumentKind>, report: &mut Report) -> Option<Self> {
        let Some(kind) = kind else {
            report_unknown(node, report);
            return None;
        };
        Some(match kind {
            DocumentKind::Tool => AnyDocument::Tool(ToolDocument::read(node, report)?),
            DocumentKind::Declaration => {
                AnyDocument::Declaration(FunctionDeclaration::read(node, report)?)
            }
            DocumentKind::Schema => AnyDocument::Schema(Schema::read(node, report)?),
            DocumentKind::Call => AnyDocument::Call(FunctionCall::read(node, report)?),
            DocumentKind::Result => AnyDocument::Result(ToolResult::read(node, report)?),
            DocumentKind::Contract => AnyDocument::Contract(ContractDocument::read(node, report)?),
            DocumentKind::Lock => AnyDocument::Lock(Lock::read(node, report)?),
            DocumentKind::Agent => AnyDocument::Agent(AgentDocument::read(node, report)?),
            DocumentKind::ReturnType => {
                AnyDocument::ReturnType(ReturnType::read(return_type_in(node), report)?)
            }
            DocumentKind::JsonSchema => AnyDocument::JsonSchema(JsonSchema::read(node, report)?),
            DocumentKind::Tools(dialect) => {
                AnyDocument::Tools(ToolsDocument::read(node, dialect, report)?)
            }
            DocumentKind::ReturnValue(standard) => {
                let promise = Returns::Standard {
                    standard,
                    refinement: None,
                };
                promise.enforcer(Level::Meaning).check_node(node, report);
                AnyDocument::ReturnValue(standard, node.to_value())
            }
        })
    }
}

impl DocumentKind {
    /// Whether such a document may be an array itself.
    fn may_be_array(self) -> bool {
        matches!(self, DocumentKind::ReturnValue(_) | DocumentKind::Tools(_))
    }
}

/// A return type object, which may be wrapped as the only member `returns`.
fn return_type_in(node: Node<'_>) -> Node<'_> {
    let mut members = node.members();
    match (members.next(), members.next()) {
        (Some((key, object)), None) if key == "returns" => object,
        _ => node,
    }
}

/// Reports a document that is of no kind.
pub(crate) fn report_unknown(node: Node<'_>, report: &mut Report) {
    report.add(&rules::UNKNOWN_KIND, Place::Node(node.id()), |finding| {
        let ours = DocumentKind::STRUCTURES.map(DocumentKind::as_str);
        let providers = ["openai", "anthropic", "gemini", "mcp", "openapi"];
        let found = match node.kind() {
            Kind::Object if is_empty_list(node) => "a list of tools without any".to_owned(),
            Kind::Object => "an object with none of their fields".to_owned(),
            Kind::Array => "a list without any".to_owned(),
            _ => describe(node),
        };
        finding.say(format!(
            "expected one of the kinds {}, or tools of {}, found {found}",
            list(ours.into_iter()),
            list(providers.into_iter())
        ));
    });
}

fn is_empty_list(node: Node<'_>) -> bool {
    let list = crate::dialect::shape::list_in(node);
    list.is_some_and(|(_, list)| list.items().next().is_none())
}

impl From<Dialect> for DocumentKind {
    fn from(dialect: Dialect) -> Self {
        DocumentKind::Tools(dialect)
    }
}

crate::text::display!(DocumentKind: as_str);
