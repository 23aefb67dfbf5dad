use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::code::ScriptLimits;

/// A tool that runs scripts of agents, which call the other tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CodeConfig {
    /// The name of the tool.
    pub name: String,
    /// Most characters of declarations in its description. If those of all tools are more, it has their
    /// names, and a second tool gives the declarations of some.
    pub declarations_chars: usize,
    /// How long a run may take, the calls that it makes included, in milliseconds. Without this, it is
    /// `call_ms` of the limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub timeout_ms: Option<u64>,
    /// Whether scripts also run where the system has no filter that keeps its calls from them. Usually,
    /// they are then refused.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_unconfined: bool,
    /// How much a script may use.
    pub limits: ScriptLimits,
}

impl Default for CodeConfig {
    fn default() -> Self {
        Self {
            name: "run_code".to_owned(),
            declarations_chars: 8_000,
            timeout_ms: None,
            allow_unconfined: false,
            limits: ScriptLimits::default(),
        }
    }
}

impl CodeConfig {
    /// The name of the tool that gives declarations.
    pub(crate) fn declarations_name(&self) -> String {
        format!("{}_declarations", self.name)
    }
}
