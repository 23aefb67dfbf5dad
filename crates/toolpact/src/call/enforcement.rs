use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact_core::returns::Level;

/// What becomes of a result that breaks its contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Enforcement {
    /// It is withheld, and the call fails with an error that says which tool broke which rule.
    #[default]
    Enforce,
    /// It passes, and what is wrong with it is recorded.
    Warn,
    /// It passes, and nobody looks.
    Off,
}

/// How results are checked, where it is not as for all tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ResultChecks {
    /// What becomes of results that break their contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enforcement: Option<Enforcement>,
    /// How strictly they are checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

impl ResultChecks {
    /// These, and others where nothing is said here.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            enforcement: self.enforcement.or(others.enforcement),
            level: self.level.or(others.level),
        }
    }
}
