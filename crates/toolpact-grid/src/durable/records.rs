//! What is written about a durable call: each of these once, except for the progress.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use toolpact::Principal;

use crate::contracts::sha256;

/// Of the host: what is to be done for whom.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) tool: Box<str>,
    pub(crate) digest: Box<str>,
    /// The hash of the principal, who alone may have the outcome.
    pub(crate) owner: Box<str>,
    /// The hash of the call: another call with the same key is refused.
    pub(crate) call: Box<str>,
    pub(crate) created: u64,
    /// When it must be over.
    pub(crate) deadline: u64,
}

impl Record {
    pub(crate) fn owner_of(principal: &Principal) -> Box<str> {
        sha256(principal.key().as_bytes()).into()
    }

    pub(crate) fn belongs_to(&self, principal: &Principal) -> bool {
        self.owner == Self::owner_of(principal)
    }
}

/// Of a runtime: it is about to execute the call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Claim {
    pub(crate) runtime: Box<str>,
    pub(crate) at: u64,
}

/// Of a runtime: what came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) runtime: Box<str>,
    pub(crate) attempt: u32,
    pub(crate) at: u64,
    /// ADM's ToolResult, unless it is in parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<Box<RawValue>>,
    /// How many parts the ToolResult is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<u32>,
    /// The whole error, as ADL has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Box<RawValue>>,
    /// What a model should read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<Box<str>>,
}

/// Of a runtime, again and again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredProgress {
    pub(crate) at: u64,
    pub(crate) progress: Box<RawValue>,
}
