use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
