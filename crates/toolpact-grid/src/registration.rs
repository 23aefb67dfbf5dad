//! DEVELOPMENT mode: contracts that runtimes bring along, and what a host answers.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::admission::{AdmissionStatus, RefusedTool};

/// Whether a host has the contracts of its manifest only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Mode {
    /// It has.
    #[default]
    Strict,
    /// It takes contracts of runtimes, too, for callers who ask for them by the name of a session.
    Development,
}

impl Mode {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks in this way")]
    pub(crate) fn is_strict(&self) -> bool {
        *self == Self::Strict
    }
}

/// What a runtime asks for, at `P.register.HOST`. It takes the place of what this runtime asked for before.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Registering {
    pub(crate) runtime: Box<str>,
    pub(crate) session: Box<str>,
    pub(crate) contracts: Vec<Box<RawValue>>,
}

/// What the host answers. Each contract is taken or refused for itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Registration {
    pub(crate) status: AdmissionStatus,
    pub(crate) host: Box<str>,
    pub(crate) session: Box<str>,
    pub(crate) registered: Vec<Box<str>>,
    #[serde(default)]
    pub(crate) refused: Vec<RefusedTool>,
}
