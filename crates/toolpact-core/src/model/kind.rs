use std::fmt;

use crate::json::{Document, Kind as JsonKind, Node};
use crate::text::list;
use crate::violation::Checked;
use crate::violation::report::{Place, Report};
use crate::violation::rules::structure as rules;

use super::{Digest, FunctionCall, FunctionDeclaration, Model as _, Schema, Tool, ToolResult};

/// The five kinds of document of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// [`Tool`]
    Tool,
    /// [`FunctionDeclaration`]
    Declaration,
    /// [`Schema`]
    Schema,
    /// [`FunctionCall`]
    Call,
    /// [`ToolResult`]
    Result,
}

/// A document of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdmDocument {
    /// A tool.
    Tool(Tool),
    /// A function declaration.
    Declaration(FunctionDeclaration),
    /// A schema.
    Schema(Schema),
    /// A call.
    Call(FunctionCall),
    /// A result.
    Result(ToolResult),
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [
        Kind::Tool,
        Kind::Declaration,
        Kind::Schema,
        Kind::Call,
        Kind::Result,
    ];

    /// The word for it: `tool`, `declaration`, `schema`, `call` or `result`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Tool => "tool",
            Kind::Declaration => "declaration",
            Kind::Schema => "schema",
            Kind::Call => "call",
            Kind::Result => "result",
        }
    }

    /// The kind that a document looks like, by its fields.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::model::Kind;
    ///
    /// let call = Value::from_json(r#"{"name": "ping", "args": {}}"#)?;
    /// assert_eq!(Kind::of(call.root()), Some(Kind::Call));
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn of(node: Node<'_>) -> Option<Self> {
        let has = |field: &str| node.get(field).is_some();
        if has("function_declarations") {
            Some(Kind::Tool)
        } else if has("parameters") {
            Some(Kind::Declaration)
        } else if has("args") {
            Some(Kind::Call)
        } else if has("status") || has("name") && (has("content") || has("error")) {
            Some(Kind::Result)
        } else if has("name") && has("description") && !has("type") {
            Some(Kind::Declaration)
        } else if has("type") {
            Some(Kind::Schema)
        } else {
            None
        }
    }
}

impl AdmDocument {
    /// Reads a document of the kind given, or of the kind it looks like.
    #[must_use]
    pub fn check(document: &Document, kind: Option<Kind>) -> Checked<AdmDocument> {
        document.check(|node, report| AdmDocument::read(node, kind, report))
    }

    /// Reads each element of an array as a document, or the whole as one if it is no array.
    #[must_use]
    pub fn check_each(document: &Document, kind: Option<Kind>) -> Checked<Vec<AdmDocument>> {
        document.check(|node, report| {
            let nodes: Vec<Node<'_>> = match node.kind() {
                JsonKind::Array => node.items().collect(),
                _ => vec![node],
            };
            // All are read before one that failed makes the whole fail.
            let read: Vec<_> = nodes
                .into_iter()
                .map(|node| AdmDocument::read(node, kind, report))
                .collect();
            read.into_iter().collect()
        })
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            AdmDocument::Tool(_) => Kind::Tool,
            AdmDocument::Declaration(_) => Kind::Declaration,
            AdmDocument::Schema(_) => Kind::Schema,
            AdmDocument::Call(_) => Kind::Call,
            AdmDocument::Result(_) => Kind::Result,
        }
    }

    /// The one text that all spellings of it share.
    #[must_use]
    pub fn to_canonical(&self) -> String {
        match self {
            AdmDocument::Tool(tool) => tool.to_canonical(),
            AdmDocument::Declaration(declaration) => declaration.to_canonical(),
            AdmDocument::Schema(schema) => schema.to_canonical(),
            AdmDocument::Call(call) => call.to_canonical(),
            AdmDocument::Result(result) => result.to_canonical(),
        }
    }

    /// SHA-256 of the canonical form.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.to_canonical().as_bytes())
    }

    fn read(node: Node<'_>, kind: Option<Kind>, report: &mut Report) -> Option<Self> {
        let Some(kind) = kind.or_else(|| Kind::of(node)) else {
            report_unknown(node, report);
            return None;
        };
        Some(match kind {
            Kind::Tool => AdmDocument::Tool(Tool::read(node, report)?),
            Kind::Declaration => AdmDocument::Declaration(FunctionDeclaration::read(node, report)?),
            Kind::Schema => AdmDocument::Schema(Schema::read(node, report)?),
            Kind::Call => AdmDocument::Call(FunctionCall::read(node, report)?),
            Kind::Result => AdmDocument::Result(ToolResult::read(node, report)?),
        })
    }
}

fn report_unknown(node: Node<'_>, report: &mut Report) {
    report.add(&rules::UNKNOWN_KIND, Place::Node(node.id()), |finding| {
        let names = Kind::ALL.map(Kind::as_str);
        let found = match node.kind() {
            JsonKind::Object => "an object with none of their fields".to_owned(),
            _ => super::describe(node),
        };
        finding
            .say(format!(
                "expected one of the kinds {}, found {found}",
                list(names.into_iter())
            ))
            .advise("say which it is with `--as`");
    });
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
