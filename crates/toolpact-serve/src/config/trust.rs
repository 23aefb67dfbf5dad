use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which tools of a source are served. Without this, it is `locked` if there is a lock, and else `any`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    /// Those that are as the lock says. There has to be one.
    Locked,
    /// The same, but what a source has when it comes for the first time is written into the lock.
    FirstUse,
    /// All of them, whatever a lock says.
    Any,
}

/// What a lock is called that nobody has named.
pub const LOCK: &str = "toolpact.lock";
