use std::num::NonZeroUsize;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Rate, Retries};

/// How much calls may use. Registries have limits for each of their tools, sessions for all of
/// their calls together. As JSON, what is left out is the default:
/// `{"at_once": 8, "rate": {"calls": 60, "per_ms": 60000}, "timeout_ms": 5000, "retries": {"most": 2, "first_ms": 100}}`.
///
/// ```
/// use std::time::Duration;
/// use toolpact::call::{CallLimits, Rate};
///
/// let limits = CallLimits::default()
///     .at_once(8)
///     .waiting(100)
///     .rate(Rate::new(60, Duration::from_secs(60)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[must_use]
pub struct CallLimits {
    /// How many calls run at the same time.
    pub(crate) at_once: NonZeroUsize,
    /// How many more may wait for their turn.
    pub(crate) waiting: usize,
    /// How many milliseconds a call may wait for its turn before it is refused.
    #[serde(rename = "wait_ms", with = "crate::millis::optional")]
    #[schemars(with = "Option<u64>")]
    pub(crate) wait: Option<Duration>,
    /// How many calls there may be in a span of time.
    pub(crate) rate: Option<Rate>,
    /// How many milliseconds a call may take if neither it nor its contract says so.
    #[serde(rename = "timeout_ms", with = "crate::millis::optional")]
    #[schemars(with = "Option<u64>")]
    pub(crate) timeout: Option<Duration>,
    /// Most bytes of a result as JSON.
    pub(crate) result_bytes: usize,
    /// Most characters of a text for a model.
    pub(crate) text_chars: usize,
    /// Whether calls that failed are tried again.
    pub(crate) retries: Retries,
}

impl Default for CallLimits {
    fn default() -> Self {
        Self {
            at_once: const { NonZeroUsize::new(256).unwrap() },
            waiting: 1024,
            wait: None,
            rate: None,
            timeout: None,
            result_bytes: Self::RESULT_BYTES,
            text_chars: 16_000,
            retries: Retries::none(),
        }
    }
}

impl CallLimits {
    /// Most bytes of a result without a limit of its own.
    pub const RESULT_BYTES: usize = 16 << 20;

    /// How many calls run at the same time.
    pub fn at_once(mut self, calls: usize) -> Self {
        self.at_once = NonZeroUsize::new(calls).unwrap_or(NonZeroUsize::MIN);
        self
    }

    /// How many more may wait for their turn. Those beyond are refused.
    pub fn waiting(mut self, calls: usize) -> Self {
        self.waiting = calls;
        self
    }

    /// How long a call may wait for its turn, which is until its deadline without this. Those that would
    /// wait longer are refused, and told when to come back.
    pub fn wait(mut self, most: Duration) -> Self {
        self.wait = Some(most);
        self
    }

    /// How many calls there may be in a span of time.
    pub fn rate(mut self, rate: Rate) -> Self {
        self.rate = Some(rate);
        self
    }

    /// How long a call may take if neither it nor its contract says so, which is a minute without
    /// this. A session's limit holds for all of its calls, whatever they say. `Duration::MAX` means no
    /// limit.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Most bytes of a result as JSON.
    pub fn result_bytes(mut self, bytes: usize) -> Self {
        self.result_bytes = bytes;
        self
    }

    /// Most characters of a text for a model.
    pub fn text_chars(mut self, chars: usize) -> Self {
        self.text_chars = chars;
        self
    }

    /// Whether calls that failed are tried again, where their errors allow it.
    pub fn retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }
}
