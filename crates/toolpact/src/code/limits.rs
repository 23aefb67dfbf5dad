use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wire::ScriptBudget;

/// How much a script may use.
///
/// ```
/// use std::time::Duration;
/// use toolpact::code::ScriptLimits;
///
/// let limits = ScriptLimits::default().time(Duration::from_secs(1)).calls(20);
/// assert_eq!(limits.memory, 64 << 20);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ScriptLimits {
    /// Time of the script itself. The time of tools does not count: they have timeouts.
    #[serde(rename = "time_ms", with = "crate::millis")]
    #[schemars(with = "u64")]
    pub time: Duration,
    /// Bytes of memory.
    pub memory: usize,
    /// Depth of nested function calls.
    pub recursion: usize,
    /// Calls of tools.
    pub calls: usize,
    /// Bytes printed and returned.
    pub output: usize,
    /// Bytes of arguments and results that the trace of its calls keeps. Of those beyond it, the trace has the
    /// sizes; the script gets all of them.
    pub trace: usize,
    /// Time for the type checker, before the script runs.
    #[serde(rename = "check_ms", with = "crate::millis")]
    #[schemars(with = "u64")]
    pub check: Duration,
}

/// One of the limits of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LimitKind {
    /// Time of the script.
    Time,
    /// Memory.
    Memory,
    /// Depth of nested function calls.
    Recursion,
    /// Calls of tools.
    Calls,
    /// Bytes printed and returned.
    Output,
    /// Time for the type checker.
    Check,
}

impl Default for ScriptLimits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(5),
            memory: 64 << 20,
            recursion: 500,
            calls: 1_000,
            output: 1 << 20,
            trace: 16 << 20,
            check: Duration::from_secs(20),
        }
    }
}

impl ScriptLimits {
    /// The same limits with another time.
    #[must_use]
    pub fn time(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// The same limits with another size of memory, in bytes.
    #[must_use]
    pub fn memory(self, memory: usize) -> Self {
        Self { memory, ..self }
    }

    /// The same limits with another depth of nested function calls. More than
    /// [`DEEPEST`](Self::DEEPEST) is taken as that.
    #[must_use]
    pub fn recursion(self, recursion: usize) -> Self {
        let recursion = recursion.min(Self::DEEPEST);
        Self { recursion, ..self }
    }

    /// The same limits with another number of calls.
    #[must_use]
    pub fn calls(self, calls: usize) -> Self {
        Self { calls, ..self }
    }

    /// The same limits with another size of output, in bytes.
    #[must_use]
    pub fn output(self, output: usize) -> Self {
        Self { output, ..self }
    }

    /// The same limits with another size of the trace, in bytes.
    #[must_use]
    pub fn trace(self, trace: usize) -> Self {
        Self { trace, ..self }
    }

    /// The same limits with another time for the type checker.
    #[must_use]
    pub fn check(self, check: Duration) -> Self {
        Self { check, ..self }
    }

    /// The most that the worker's own stack allows.
    pub const DEEPEST: usize = 2_000;

    pub(super) fn budget(&self) -> ScriptBudget {
        ScriptBudget {
            time_ms: u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX),
            memory: self.memory,
            recursion: self.recursion,
            calls: self.calls,
            output: self.output,
        }
    }

    /// What a limit is here, in words.
    pub(super) fn words(&self, limit: LimitKind) -> String {
        match limit {
            LimitKind::Time => format!("{} ms of its own", self.time.as_millis()),
            LimitKind::Memory => format!("{} bytes of memory", self.memory),
            LimitKind::Recursion => format!("{} levels of recursion", self.recursion),
            LimitKind::Calls if self.calls == 1 => "1 call of a tool".to_owned(),
            LimitKind::Calls => format!("{} calls of tools", self.calls),
            LimitKind::Output => format!("{} bytes of output", self.output),
            LimitKind::Check => format!("{} ms of the type checker", self.check.as_millis()),
        }
    }
}

impl LimitKind {
    /// Its code: `limit-time`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            LimitKind::Time => "limit-time",
            LimitKind::Memory => "limit-memory",
            LimitKind::Recursion => "limit-recursion",
            LimitKind::Calls => "limit-calls",
            LimitKind::Output => "limit-output",
            LimitKind::Check => "limit-check",
        }
    }

    /// What to do about it.
    pub(super) fn advice(self) -> &'static str {
        match self {
            LimitKind::Time => "do less in the script, or do it in steps",
            LimitKind::Memory => "keep less at a time",
            LimitKind::Recursion => "use a loop",
            LimitKind::Calls => "ask for more with each call",
            LimitKind::Output => "print and return less: a summary, or the first of them",
            LimitKind::Check => "write it in simpler expressions",
        }
    }
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
