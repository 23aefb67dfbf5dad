use schemars::JsonSchema;
use serde::Serialize;

/// How a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceState {
    /// It has not been there yet.
    Starting,
    /// Its tools are served.
    Ready,
    /// It does not start, and is tried again. What it had before is still served.
    Failing,
}

/// How a source is, for everybody. The log says more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Health {
    /// Its namespace, or what kind it is.
    pub source: String,
    /// How it is.
    pub state: SourceState,
    /// How many tools it serves.
    pub tools: usize,
    /// How many tools it has that cannot be used.
    pub left_out: usize,
    /// Why it fails, in general: what is named in its config may be secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}
