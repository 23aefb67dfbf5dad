//! Toolpact's own side of a case.

use toolpact_core::Violations;
use toolpact_core::returns::{Enforcer, Level, Returns, StandardType};
use toolpact_core::toolset::{Function, Toolset};

use super::{Case, Subject};

/// The fast path, made ready once.
pub(crate) enum Ours {
    Call(Box<Toolset>),
    Result(Box<Enforcer>),
}

impl Ours {
    /// The level matters to results only.
    pub(crate) fn new(case: &Case, level: Level) -> Result<Self, Violations> {
        Ok(match &case.subject {
            Subject::Call { tool, .. } => {
                let functions = tool.declarations().map(Function::from);
                Self::Call(Box::new(Toolset::new(functions)?))
            }
            Subject::Result(standard) => Self::Result(Box::new(enforcer(*standard, level))),
        })
    }

    pub(crate) fn is_valid(&self, json: &[u8]) -> bool {
        match self {
            Ours::Call(tools) => tools.is_valid_call(json),
            Ours::Result(enforcer) => enforcer.is_valid(json),
        }
    }

    /// The verdict, and the reasons where it is no.
    pub(crate) fn check(&self, json: &[u8]) -> bool {
        match self {
            Ours::Call(tools) => tools.check_call_json(json).is_ok(),
            Ours::Result(enforcer) => enforcer.check_json(json).is_ok(),
        }
    }
}

pub(crate) fn enforcer(standard: StandardType, level: Level) -> Enforcer {
    let returns = Returns::Standard {
        standard,
        refinement: None,
    };
    returns.enforcer(level)
}
