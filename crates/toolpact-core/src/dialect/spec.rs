//! Everything that is known of one dialect. Each dialect is one such value in its own file, and
//! `dialects.rs` names it: what is forgotten does not compile.

use crate::Violations;
use crate::contract::Contract;
use crate::json::Node;

use super::layout::Layout;
use super::loss::Loss;
use super::message::Form;
use super::profile::KeyRule;
use super::tree::Tree;

/// One dialect.
pub(super) struct Spec {
    /// How tools are written; `None` for contracts, which are written as they are.
    pub(super) layout: Option<&'static Layout>,
    /// What is around the tools in a document.
    pub(super) list: List,
    /// Reads a tool into a contract of this name.
    pub(super) read: Reader,
    /// Whether a tool looks like one of this dialect.
    pub(super) claims: fn(Candidate<'_>) -> Option<Claim>,
    /// The keys that its tools may be listed under.
    pub(super) list_keys: &'static [&'static str],
    /// The members of a tool that hold the schemas of arguments and of results.
    pub(super) input_keys: &'static [&'static str],
    pub(super) output_keys: &'static [&'static str],
    /// How calls and results are written; `None` for the structures of ADM.
    pub(super) messages: Option<&'static Form>,
    /// What else the provider asks of a list of tools; `None` if `check` has other rules for it.
    pub(super) limits: Option<Limits>,
}

/// A tool, the name of its contract, and what is lost on the way.
pub(super) type Reader = fn(Node<'_>, Option<&str>, &mut Vec<Loss>) -> Result<Contract, Violations>;

/// How a document is made of definitions.
pub(super) enum List {
    /// They are written one after the other between two texts.
    Between(&'static str, &'static str),
    /// Parts of them are shared.
    Shared(fn(Vec<Tree>) -> Tree),
}

impl List {
    pub(super) const BARE: Self = List::Between("[", "]");
}

/// A tool whose dialect is to be found out.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) tool: Node<'a>,
    /// The key of the list that it is in.
    pub(super) list: Option<&'a str>,
}

/// Why a tool may be one of a dialect, and whether that is certain. The strongest claim wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    pub(super) by: Evidence,
    pub(super) is_certain: bool,
}

/// From the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Evidence {
    /// What the parameters look like.
    Parameters,
    /// Fields that others may have.
    Fields,
    /// A field that no other dialect has.
    OwnField,
}

/// What a provider asks of tools, beside what their schemas may say.
pub(super) struct Limits {
    pub(super) name: KeyRule,
    /// Whether a name outside of the rule is refused, or only advised against.
    pub(super) refuses_names: bool,
    /// Most characters of a description.
    pub(super) description: Option<usize>,
    /// Most tools in a request.
    pub(super) tools: Option<usize>,
    /// Keywords beside those of the profile: spellings that only this dialect has.
    pub(super) keywords: &'static [&'static str],
    /// From the words of the dialect to JSON Schema.
    pub(super) to_json_schema: fn(&mut Tree),
    /// Whether formats that the profile does not know are refused, or only ignored.
    pub(super) refuses_formats: bool,
}

/// Letters, digits, `_` and `-`, as most providers have it.
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

    /// Whether it is in a list of function declarations, in the spelling of Gemini or of ADM.
    pub(super) fn is_declaration(self) -> bool {
        matches!(
            self.list,
            Some("functionDeclarations" | "function_declarations")
        )
    }

    /// A field that no other dialect has makes it certain, if there is a name too.
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
