//! The complete specification of a dialect. Each dialect has one such value in its own file, listed
//! in `dialects.rs`, so that a missing part does not compile.

use crate::Violations;
use crate::contract::Contract;
use crate::json::Node;

use super::layout::Layout;
use super::loss::Loss;
use super::message::Form;
use super::profile::KeyRule;
use super::tree::Tree;

/// The specification of one dialect.
pub(super) struct Spec {
    /// How tools are written; `None` for contracts, which are written unchanged.
    pub(super) layout: Option<&'static Layout>,
    /// How a document contains the tools.
    pub(super) list: List,
    /// Reads a tool into a contract with this name.
    pub(super) read: Reader,
    /// Whether a tool looks like one of this dialect.
    pub(super) claims: fn(Candidate<'_>) -> Option<Claim>,
    /// The keys of tool lists.
    pub(super) list_keys: &'static [&'static str],
    /// The members of a tool that hold the schemas of arguments and of results.
    pub(super) input_keys: &'static [&'static str],
    pub(super) output_keys: &'static [&'static str],
    /// How calls and results are written; `None` for ADM's format.
    pub(super) messages: Option<&'static Form>,
    /// Whether tools may have any name, where there are no `limits`.
    pub(super) any_name: bool,
    /// Other limits of the provider; `None` if `check` has other rules for it.
    pub(super) limits: Option<Limits>,
}

/// Takes a tool, the name of its contract, and the log of losses.
pub(super) type Reader = fn(Node<'_>, Option<&str>, &mut Vec<Loss>) -> Result<Contract, Violations>;

/// How a document is built from definitions.
pub(super) enum List {
    /// Definitions are joined by commas between two texts.
    Between(&'static str, &'static str),
    /// Definitions share parts.
    Shared(fn(Vec<Tree>) -> Tree),
}

impl List {
    pub(super) const BARE: Self = List::Between("[", "]");
}

/// A tool whose dialect is to be detected.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) tool: Node<'a>,
    /// The key of the list that contains it.
    pub(super) list: Option<&'a str>,
}

/// Why a tool may be of a dialect, and whether that is certain. The strongest claim wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    pub(super) by: Evidence,
    pub(super) is_certain: bool,
}

/// Ordered from weakest to strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Evidence {
    /// What the parameters look like.
    Parameters,
    /// Fields that other dialects may have too.
    Fields,
    /// A field that no other dialect has.
    OwnField,
}

/// Limits of a provider, besides those on schemas.
pub(super) struct Limits {
    pub(super) name: KeyRule,
    /// Whether an invalid name is refused, or only advised against.
    pub(super) refuses_names: bool,
    /// Most characters in a description.
    pub(super) description: Option<usize>,
    /// Most tools in a request.
    pub(super) tools: Option<usize>,
    /// Keywords and spellings that only this dialect has, besides those of the profile.
    pub(super) keywords: &'static [&'static str],
    /// Converts a schema of the dialect to JSON Schema.
    pub(super) to_json_schema: fn(&mut Tree),
    /// Whether unsupported formats are refused, or only ignored.
    pub(super) refuses_formats: bool,
}

/// Letters, digits, `_` and `-`, as most providers allow.
pub(super) const PLAIN_NAME: KeyRule = KeyRule {
    others: b"-",
    any_first: true,
    longest: 64,
    top_only: false,
};

impl Candidate<'_> {
    pub(super) fn has(self, field: &str) -> bool {
        self.tool.get(field).is_some()
    }

    pub(super) fn is_named(self) -> bool {
        super::shape::name_of(self.tool).is_some()
    }

    /// Whether it is in a list of function declarations, as Gemini or ADM spells it.
    pub(super) fn is_declaration(self) -> bool {
        matches!(
            self.list,
            Some("functionDeclarations" | "function_declarations")
        )
    }

    /// Claims a tool with a field that no other dialect has; certain if it also has a name.
    pub(super) fn owns(self, fields: &[&str]) -> Option<Claim> {
        fields.iter().any(|field| self.has(field)).then(|| Claim {
            by: Evidence::OwnField,
            is_certain: self.is_named(),
        })
    }

    pub(super) fn is_strict(self) -> bool {
        let definition = super::shape::definition(self.tool);
        definition.get("strict").and_then(Node::as_bool) == Some(true)
    }
}
