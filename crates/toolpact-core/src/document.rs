//! Every kind of document, in one place: what it is, how it is read, and its JSON Schema.

use std::fmt;

use crate::adl::{self, AgentDocument};
use crate::contract::{self, ContractDocument};
use crate::json::{Document, Kind, Node, Value};
use crate::model::{
    Digest, FunctionCall, FunctionDeclaration, Model as _, Schema, ToolDocument, ToolResult,
    describe, structure_json_schema,
};
use crate::returns::{Level, Returns, StandardType};
use crate::text::list;
use crate::violation::Checked;
use crate::violation::report::{Place, Report};
use crate::violation::rules::structure as rules;

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
    /// [`AgentDocument`]
    Agent,
    /// A value that a tool returned, held to a standard type.
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
    /// Whole contracts.
    Contract(ContractDocument),
    /// An ADL agent with its tools.
    Agent(AgentDocument),
    /// A value of a standard return type.
    ReturnValue(StandardType, Value),
}

impl DocumentKind {
    /// All kinds that can be told by their fields.
    pub const ALL: [DocumentKind; 7] = [
        DocumentKind::Tool,
        DocumentKind::Declaration,
        DocumentKind::Schema,
        DocumentKind::Call,
        DocumentKind::Result,
        DocumentKind::Contract,
        DocumentKind::Agent,
    ];

    /// The word for it: `tool`, `declaration`, `schema`, `call`, `result`, `contract` or `agent`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            DocumentKind::Tool => "tool",
            DocumentKind::Declaration => "declaration",
            DocumentKind::Schema => "schema",
            DocumentKind::Call => "call",
            DocumentKind::Result => "result",
            DocumentKind::Contract => "contract",
            DocumentKind::Agent => "agent",
            DocumentKind::ReturnValue(standard) => standard.name(),
        }
    }

    /// The kind of this word; the name of a standard type means a value of it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let known = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        known.or_else(|| StandardType::from_name(name).map(DocumentKind::ReturnValue))
    }

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
        let has = |field: &str| node.get(field).is_some();
        // A JSON Schema is no ADM schema, although both have a `type`.
        if has("$schema") {
            None
        } else if has("toolpact") {
            Some(DocumentKind::Contract)
        } else if AgentDocument::is_like(node) {
            Some(DocumentKind::Agent)
        } else if has("function_declarations") {
            Some(DocumentKind::Tool)
        } else if has("parameters") {
            Some(DocumentKind::Declaration)
        } else if has("args") {
            Some(DocumentKind::Call)
        } else if has("status") || has("name") && (has("content") || has("error")) {
            Some(DocumentKind::Result)
        } else if has("name") && has("description") && !has("type") {
            Some(DocumentKind::Declaration)
        } else if has("type") {
            Some(DocumentKind::Schema)
        } else {
            None
        }
    }

    /// The JSON Schema (2020-12) of this kind of document, for editors and other languages.
    ///
    /// It cannot say everything: that names are unique within a tool, that `required` names
    /// properties, and what strict JSON forbids, remain for `toolpact check`.
    #[must_use]
    pub fn json_schema(self) -> String {
        let (title, name) = match self {
            DocumentKind::Tool => ("ADM tool", "Tool"),
            DocumentKind::Declaration => ("ADM function declaration", "FunctionDeclaration"),
            DocumentKind::Schema => ("ADM schema", "Schema"),
            DocumentKind::Call => ("ADM function call", "FunctionCall"),
            DocumentKind::Result => ("ADM tool result", "ToolResult"),
            DocumentKind::Contract => return contract::json_schema().to_owned(),
            DocumentKind::Agent => return adl::json_schema().to_owned(),
            DocumentKind::ReturnValue(standard) => return standard.schema_text().to_owned(),
        };
        structure_json_schema(title, name)
    }
}

impl AnyDocument {
    /// Reads a document of the kind given, or of the kind it looks like.
    #[must_use]
    pub fn check(document: &Document, kind: Option<DocumentKind>) -> Checked<AnyDocument> {
        document.check(|node, report| AnyDocument::read(node, kind, report))
    }

    /// Reads each element of an array as a document, or the whole as one if it is no array.
    #[must_use]
    pub fn check_each(
        document: &Document,
        kind: Option<DocumentKind>,
    ) -> Checked<Vec<AnyDocument>> {
        document.check(|node, report| {
            // A value may be an array itself.
            let is_value = matches!(kind, Some(DocumentKind::ReturnValue(_)));
            let nodes: Vec<Node<'_>> = match node.kind() {
                Kind::Array if !is_value => node.items().collect(),
                _ => vec![node],
            };
            // All are read before one that failed makes the whole fail.
            let read: Vec<_> = nodes
                .into_iter()
                .map(|node| AnyDocument::read(node, kind, report))
                .collect();
            read.into_iter().collect()
        })
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> DocumentKind {
        match self {
            AnyDocument::Tool(_) => DocumentKind::Tool,
            AnyDocument::Declaration(_) => DocumentKind::Declaration,
            AnyDocument::Schema(_) => DocumentKind::Schema,
            AnyDocument::Call(_) => DocumentKind::Call,
            AnyDocument::Result(_) => DocumentKind::Result,
            AnyDocument::Contract(_) => DocumentKind::Contract,
            AnyDocument::Agent(_) => DocumentKind::Agent,
            AnyDocument::ReturnValue(standard, _) => DocumentKind::ReturnValue(*standard),
        }
    }

    /// The one text that all spellings of it share.
    #[must_use]
    pub fn to_canonical(&self) -> String {
        match self {
            AnyDocument::Tool(tool) => tool.to_canonical(),
            AnyDocument::Declaration(declaration) => declaration.to_canonical(),
            AnyDocument::Schema(schema) => schema.to_canonical(),
            AnyDocument::Call(call) => call.to_canonical(),
            AnyDocument::Result(result) => result.to_canonical(),
            AnyDocument::Contract(contract) => contract.to_canonical(),
            AnyDocument::Agent(agent) => agent.to_canonical(),
            AnyDocument::ReturnValue(_, value) => value.to_canonical(),
        }
    }

    /// SHA-256 of the canonical form.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.to_canonical().as_bytes())
    }

    fn read(node: Node<'_>, kind: Option<DocumentKind>, report: &mut Report) -> Option<Self> {
        let Some(kind) = kind.or_else(|| DocumentKind::of(node)) else {
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
            DocumentKind::Agent => AnyDocument::Agent(AgentDocument::read(node, report)?),
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

fn report_unknown(node: Node<'_>, report: &mut Report) {
    report.add(&rules::UNKNOWN_KIND, Place::Node(node.id()), |finding| {
        let names = DocumentKind::ALL.map(DocumentKind::as_str);
        let found = match node.kind() {
            Kind::Object => "an object with none of their fields".to_owned(),
            _ => describe(node),
        };
        finding
            .say(format!(
                "expected one of the kinds {}, found {found}",
                list(names.into_iter())
            ))
            .advise("say which it is with `--as`");
    });
}

impl fmt::Display for DocumentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
