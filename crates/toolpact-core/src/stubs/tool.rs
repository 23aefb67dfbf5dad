//! The declarations, and the names of the contracts they came from.

use std::collections::BTreeSet;

use crate::contract::Contract;
use crate::model::ToolName;
use crate::violation::nearest::nearest;

use super::names::{TypeNames, aliases};
use super::unwrap::left_out;
use super::{python, typescript};

/// Declarations of tools, and the mapping back from their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stubs {
    pub(super) language: Language,
    /// The address that functions call, if they are more than declared.
    pub(super) server: Option<String>,
    pub(super) tools: Vec<ToolStub>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    TypeScript,
}

/// The declaration of one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolStub {
    pub(super) alias: String,
    pub(super) result_alias: Option<String>,
    pub(super) name: ToolName,
    pub(super) signature: Signature,
    pub(super) text: String,
    /// What it needs from `typing`.
    pub(super) uses: BTreeSet<&'static str>,
}

/// The parameters of a function, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Signature {
    pub(super) parameters: Vec<Parameter>,
    pub(super) others: Option<String>,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub(super) alias: String,
    pub(super) name: String,
    pub(super) required: bool,
    pub(super) takes_null: bool,
}

impl Stubs {
    /// The text of all declarations.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_of(|_| true)
    }

    /// The text for some of the tools. They and their types have the same names as in the whole, so
    /// that a script can be checked against only the tools it uses.
    #[must_use]
    pub fn text_of(&self, wanted: impl Fn(&ToolStub) -> bool) -> String {
        let tools: Vec<&ToolStub> = self.tools.iter().filter(|tool| wanted(tool)).collect();
        let mut out = match self.language {
            Language::Python => python::header(&tools, self.server.as_deref()),
            Language::TypeScript => typescript::header(),
        };
        for tool in tools {
            out.push('\n');
            out.push_str(&tool.text);
        }
        out
    }

    /// The tools in the order they were given.
    #[must_use]
    pub fn tools(&self) -> &[ToolStub] {
        &self.tools
    }

    /// The tool one of whose functions has this name.
    #[must_use]
    pub fn tool(&self, alias: &str) -> Option<&ToolStub> {
        let is_named =
            |tool: &&ToolStub| tool.alias == alias || tool.result_alias.as_deref() == Some(alias);
        self.tools.iter().find(is_named)
    }

    /// The name of a tool that is most like `name`, for a suggestion.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.tools.iter().map(|tool| tool.name.as_str()))
    }
}

/// Creates the declaration of a tool, given the names of its functions.
type Declare = fn(&Contract, Functions, &mut TypeNames) -> ToolStub;

/// The names of the functions of a tool.
pub(super) struct Functions {
    pub(super) value: String,
    /// The one that returns the whole result, if that has more.
    pub(super) whole: Option<String>,
}

impl Language {
    /// The declarations of these tools: a function for each, and the types they take and return.
    /// `declared` are the names of types that are already taken.
    pub(super) fn declare<'c>(
        self,
        contracts: impl IntoIterator<Item = &'c Contract>,
        (declared, is_reserved): (&[&str], fn(&str) -> bool),
        stub: Declare,
    ) -> Stubs {
        let contracts: Vec<&Contract> = contracts.into_iter().collect();
        let tools: Vec<&str> = contracts.iter().map(|one| one.name().as_str()).collect();
        let functions = aliases(&tools, "tool", is_reserved);
        let functions = with_results(&contracts, functions, is_reserved);
        let taken = functions
            .iter()
            .flat_map(|one| [Some(&one.value), one.whole.as_ref()]);
        let taken = taken.flatten().map(String::as_str);
        let mut names = TypeNames::without(declared.iter().copied().chain(taken));
        let tools = contracts.into_iter().zip(functions);
        Stubs {
            language: self,
            server: None,
            tools: tools
                .map(|(contract, functions)| stub(contract, functions, &mut names))
                .collect(),
        }
    }
}

/// Adds the names of the functions that return whole results. Those of tools come first, so that a
/// tool called `measure_result` keeps its name.
fn with_results(
    contracts: &[&Contract],
    functions: Vec<String>,
    is_reserved: fn(&str) -> bool,
) -> Vec<Functions> {
    let has_more = contracts
        .iter()
        .map(|one| !left_out(one.returns()).is_empty());
    let wanted = functions.iter().zip(has_more);
    let wanted: Vec<Option<String>> = wanted
        .map(|(alias, has_more)| has_more.then(|| format!("{alias}_result")))
        .collect();
    let all = functions.iter().chain(wanted.iter().flatten());
    let all: Vec<&str> = all.map(String::as_str).collect();
    let mut results = aliases(&all, "tool", is_reserved)
        .into_iter()
        .skip(functions.len());
    let whole: Vec<Option<String>> = wanted
        .iter()
        .map(|wanted| wanted.as_ref().and_then(|_| results.next()))
        .collect();
    let both = functions.into_iter().zip(whole);
    both.map(|(value, whole)| Functions { value, whole })
        .collect()
}

impl ToolStub {
    /// The name of the function.
    #[must_use]
    pub fn alias(&self) -> &str {
        &self.alias
    }

    /// The name of the function that returns the whole result, if that has more than the value.
    #[must_use]
    pub fn result_alias(&self) -> Option<&str> {
        self.result_alias.as_deref()
    }

    /// The name of the tool.
    #[must_use]
    pub fn name(&self) -> &ToolName {
        &self.name
    }

    /// The parameters of the function.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The parameter that has this name in the function.
    #[must_use]
    pub fn parameter(&self, alias: &str) -> Option<&Parameter> {
        let mut parameters = self.signature.parameters.iter();
        parameters.find(|parameter| parameter.alias == alias)
    }

    /// The text of the functions and of their types.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Signature {
    /// The parameters in the order of the function.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The parameter for arguments that are not described, if they are allowed: `kwargs`.
    #[must_use]
    pub fn others(&self) -> Option<&str> {
        self.others.as_deref()
    }
}

impl Parameter {
    /// Its name in the function.
    #[must_use]
    pub fn alias(&self) -> &str {
        &self.alias
    }

    /// Its name in the contract.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is required.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// Whether it accepts null. If not, and the parameter is optional, `None` means that it is
    /// omitted.
    #[must_use]
    pub fn takes_null(&self) -> bool {
        self.takes_null
    }
}
