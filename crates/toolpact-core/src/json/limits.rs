use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a reader accepts, so that no input can exhaust the process that reads it.
///
/// ```
/// use toolpact_core::json::{Limits, Value};
///
/// let deep = "[".repeat(500) + &"]".repeat(500);
/// assert!(Value::from_json(&deep).is_err());
/// assert!(Value::from_json_within(&deep, &Limits::default().depth(500)).is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Limits {
    /// Deepest nesting of arrays and objects.
    pub depth: usize,
    /// Longest text, in bytes. Never more than 4 GiB.
    pub bytes: usize,
    /// Most violations listed; the rest are counted.
    pub violations: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 128,
            bytes: 1 << 30,
            violations: 1_000,
        }
    }
}

impl Limits {
    /// The same limits with another depth.
    #[must_use]
    pub fn depth(self, depth: usize) -> Self {
        Self { depth, ..self }
    }

    /// The same limits with another length.
    #[must_use]
    pub fn bytes(self, bytes: usize) -> Self {
        Self { bytes, ..self }
    }

    /// The same limits with another number of violations.
    #[must_use]
    pub fn violations(self, violations: usize) -> Self {
        Self { violations, ..self }
    }
}
