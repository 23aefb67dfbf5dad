use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact_core::contract::Contract;
use toolpact_core::returns::Retry;

use crate::ToolError;

/// Whether calls that failed are tried again. Only those are whose errors say that it helps, and
/// only tools that may be run twice where it is not known whether they ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Retries {
    /// The most retries of one call.
    most: u32,
    /// Milliseconds before the first; each other is after twice as long.
    #[serde(rename = "first_ms", with = "crate::millis")]
    #[schemars(with = "u64")]
    first: Duration,
}

impl Retries {
    /// None.
    #[must_use]
    pub fn none() -> Self {
        Self::new(0, Duration::ZERO)
    }

    /// At most so many, the first after this long, each other after twice as long.
    #[must_use]
    pub fn new(most: u32, first: Duration) -> Self {
        Self { most, first }
    }

    /// How long to wait before trying again, if that is allowed. `done` is how often it was done.
    pub(crate) fn next(
        self,
        done: u32,
        contract: &Contract,
        error: &ToolError,
    ) -> Option<Duration> {
        let effects = contract.effects();
        let repeatable = effects.idempotent() == Some(true) || effects.read_only() == Some(true);
        let allowed = match error.kind().retry() {
            Retry::Never => false,
            Retry::Yes => true,
            Retry::IfIdempotent => repeatable,
        };
        (allowed && done < self.most).then(|| {
            let asked = asked_for(error);
            let own = self.first.saturating_mul(1 << done.min(16));
            asked.unwrap_or_default().max(own)
        })
    }
}

/// How long the error itself says to wait.
fn asked_for(error: &ToolError) -> Option<Duration> {
    let detail = error.as_standard().detail("retry_after_ms")?;
    let ms: u64 = detail.text().parse().ok()?;
    Some(Duration::from_millis(ms))
}
