//! The declarations, and the names of the contracts they came from.

use std::collections::BTreeSet;

use crate::contract::Contract;
use crate::model::ToolName;
use crate::violation::nearest::nearest;

use super::names::{TypeNames, aliases};
use super::{python, typescript};

/// Declarations of tools, and the mapping back from their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stubs {
    pub(super) language: Language,
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
            Language::Python => python::header(&tools),
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

    /// The tool whose function has this name.
    #[must_use]
    pub fn tool(&self, alias: &str) -> Option<&ToolStub> {
        self.tools.iter().find(|tool| tool.alias == alias)
    }

    /// The name of a tool that is most like `name`, for a suggestion.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.tools.iter().map(|tool| tool.name.as_str()))
    }
}

/// Creates the declaration of a tool, given the name of its function.
type Declare = fn(&Contract, String, &mut TypeNames) -> ToolStub;

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
        let taken = functions.iter().map(String::as_str);
        let mut names = TypeNames::without(declared.iter().copied().chain(taken));
        let tools = contracts.into_iter().zip(functions);
        Stubs {
            language: self,
            tools: tools
                .map(|(contract, alias)| stub(contract, alias, &mut names))
                .collect(),
        }
    }
}

impl ToolStub {
    /// The name of the function.
    #[must_use]
    pub fn alias(&self) -> &str {
        &self.alias
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

    /// The text of the function and of its types.
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
