//! What a config says about policies.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::approval::Approval;

/// Who may call which tools. Once there is a policy, what is not permitted is denied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyConfig {
    /// Files with policies in Cedar.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PathBuf>,
    /// What is permitted, in short. Each entry is a policy of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<Allow>,
    /// Who is asked where a policy says so: `client`, or `{ held: {…} }`. Without this, nobody is there to be asked,
    /// and such calls are denied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
}

/// Calls that are permitted: those that fit everything that is said here. What is left out does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Allow {
    /// Callers in one of these groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// These callers, besides those in the groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub principals: Vec<String>,
    /// Callers of one of these tenants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tenants: Vec<String>,
    /// These tools, by the names that clients use. `*` stands for any text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// The tools of these sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Tools with these effects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<ToolEffects>,
    /// Someone has to approve each of these calls, and is asked this.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub ask: Option<String>,
}

/// What tools do to the world, as their contracts say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolEffects {
    /// They change nothing.
    ReadOnly,
    /// They are not promised to change nothing.
    Writes,
    /// They may destroy something.
    Destructive,
    /// A second call with the same arguments changes nothing more.
    Idempotent,
    /// They deal with things outside of their system, such as the web.
    OpenWorld,
}

impl ToolEffects {
    /// All of them.
    pub const ALL: [ToolEffects; 5] = [
        ToolEffects::ReadOnly,
        ToolEffects::Writes,
        ToolEffects::Destructive,
        ToolEffects::Idempotent,
        ToolEffects::OpenWorld,
    ];

    /// As it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ToolEffects::ReadOnly => "read_only",
            ToolEffects::Writes => "writes",
            ToolEffects::Destructive => "destructive",
            ToolEffects::Idempotent => "idempotent",
            ToolEffects::OpenWorld => "open_world",
        }
    }

    /// Whether a contract says so. What is not said is not known, so such a tool may write.
    #[must_use]
    pub fn are_of(self, contract: &toolpact_core::contract::Contract) -> bool {
        let effects = contract.effects();
        let said = match self {
            ToolEffects::ReadOnly => effects.read_only(),
            ToolEffects::Writes => return effects.read_only() != Some(true),
            ToolEffects::Destructive => effects.destructive(),
            ToolEffects::Idempotent => effects.idempotent(),
            ToolEffects::OpenWorld => effects.open_world(),
        };
        said == Some(true)
    }
}
