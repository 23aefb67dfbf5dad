use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact_core::contract::Contract;
use toolpact_core::returns::{ErrorKind, Retry};

use super::error_code::ErrorCode;
use crate::ToolError;

/// Whether calls that failed are tried again. Without more said, only those are whose errors say that it helps, and
/// only tools that may be run twice where it is not known whether they ran.
///
/// ```
/// use std::time::Duration;
/// use toolpact::call::{Pauses, Retries};
/// use toolpact::core::returns::ErrorKind;
///
/// let retries = Retries::new(2, Duration::from_millis(100))
///     .longest(Duration::from_secs(5))
///     .only([ErrorKind::DependencyTimedOut])
///     .of_kind(ErrorKind::RateLimited, Pauses::new(5, Duration::from_secs(1)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Retries {
    /// The most retries of one call.
    most: u32,
    /// Milliseconds before the first; each other is after twice as long.
    #[serde(rename = "first_ms", with = "crate::millis")]
    #[schemars(with = "u64")]
    first: Duration,
    /// Most milliseconds before any of them. An error that asks for a longer pause has it.
    #[serde(
        rename = "longest_ms",
        default,
        with = "crate::millis::optional",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Option<u64>")]
    longest: Option<Duration>,
    /// The codes of the errors after which a call is tried again, besides those of `by_kind`. Without this, they are
    /// those that say that it helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kinds: Option<Vec<ErrorCode>>,
    /// How often and with what pauses after errors of single kinds, by their codes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    by_kind: BTreeMap<ErrorCode, Pauses>,
    /// Whether tools are also tried again that may have done their work and are not promised to be idempotent or
    /// read-only. They may then do it twice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    even_if_done_twice: bool,
}

/// How often a call is tried again after errors of one kind, and after what pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pauses {
    /// The most retries of one call, whatever errors those before had.
    most: u32,
    /// Milliseconds before the first; each other is after twice as long. Without this, it is as for other errors.
    #[serde(
        rename = "first_ms",
        default,
        with = "crate::millis::optional",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Option<u64>")]
    first: Option<Duration>,
}

impl Pauses {
    /// At most so many, the first after this long, each other after twice as long.
    #[must_use]
    pub fn new(most: u32, first: Duration) -> Self {
        let first = Some(first);
        Self { most, first }
    }
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
        Self {
            most,
            first,
            longest: None,
            kinds: None,
            by_kind: BTreeMap::new(),
            even_if_done_twice: false,
        }
    }

    /// No pause is longer, unless the error asks for it.
    #[must_use]
    pub fn longest(mut self, pause: Duration) -> Self {
        self.longest = Some(pause);
        self
    }

    /// Only after errors of these kinds, whether or not they say that it helps, and of those that
    /// [`of_kind`](Self::of_kind) is said about.
    #[must_use]
    pub fn only(mut self, kinds: impl IntoIterator<Item = ErrorKind>) -> Self {
        self.kinds = Some(kinds.into_iter().map(ErrorCode::from).collect());
        self
    }

    /// So often after errors of this kind.
    #[must_use]
    pub fn of_kind(mut self, kind: ErrorKind, pauses: Pauses) -> Self {
        self.by_kind.insert(kind.into(), pauses);
        self
    }

    /// Also tools that may have done their work, and are not promised to be idempotent or read-only: they may do it
    /// twice.
    #[must_use]
    pub fn even_if_done_twice(mut self) -> Self {
        self.even_if_done_twice = true;
        self
    }

    /// How long to wait before trying again, if that is allowed. `done` is how often it was done.
    pub(crate) fn next(
        &self,
        done: u32,
        contract: &Contract,
        error: &ToolError,
    ) -> Option<Duration> {
        let kind = error.kind();
        let own = self.by_kind.get(&kind.into());
        let most = own.map_or(self.most, |own| own.most);
        let is_meant = own.is_some() || self.is_meant(kind);
        if done >= most || !is_meant || !self.is_harmless(kind, contract) {
            return None;
        }
        let first = own.and_then(|own| own.first).unwrap_or(self.first);
        let pause = first.saturating_mul(1 << done.min(16));
        let pause = self.longest.map_or(pause, |longest| pause.min(longest));
        Some(asked_for(error).unwrap_or_default().max(pause))
    }

    fn is_meant(&self, kind: ErrorKind) -> bool {
        match &self.kinds {
            Some(kinds) => kinds.contains(&kind.into()),
            None => kind.retry() != Retry::Never,
        }
    }

    /// Whether it does no harm if the tool did its work and does it again.
    fn is_harmless(&self, kind: ErrorKind, contract: &Contract) -> bool {
        let effects = contract.effects();
        match kind.retry() {
            // Who has given up does not want it any more, whatever is said here.
            _ if kind == ErrorKind::Cancelled => false,
            Retry::Yes => true,
            Retry::Never | Retry::IfIdempotent => {
                self.even_if_done_twice
                    || effects.idempotent() == Some(true)
                    || effects.read_only() == Some(true)
            }
        }
    }
}

/// How long the error itself says to wait.
fn asked_for(error: &ToolError) -> Option<Duration> {
    let detail = error.as_standard().detail("retry_after_ms")?;
    let ms: u64 = detail.text().parse().ok()?;
    Some(Duration::from_millis(ms))
}
