use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Behaviour;

/// What mocked tools do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Mock {
    /// Another seed makes other answers, and other calls fail.
    pub seed: u64,
    /// What all tools do besides answering.
    pub all: Behaviour,
    /// What single tools do in place of that, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, Behaviour>,
}

impl Mock {
    /// What the tool of this name does.
    #[must_use]
    pub fn of(&self, tool: &str) -> &Behaviour {
        self.tools.get(tool).unwrap_or(&self.all)
    }
}
