//! What policies decide about a call.

/// What policies decide about a call, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether it may run.
    pub outcome: PolicyOutcome,
    /// The ids of the policies that decided. A call that nothing permits has none.
    pub policies: Vec<String>,
    /// Why policies could not be applied. This is for logs, not for callers.
    pub errors: Vec<String>,
}

/// Whether a call may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyOutcome {
    /// It may.
    Allow,
    /// It may not.
    Deny,
    /// Someone has to be asked this.
    Ask(String),
}

/// How many calls were decided by looking at them. Of all others, what policies say depends on the caller and the
/// tool alone, and is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LookedAt {
    /// By evaluating what is left of the policies once caller and tool are known.
    pub evaluated: u64,
    /// By asking Cedar, which takes longer: what is left fails, or has expressions that are rare.
    pub asked_cedar: u64,
}

impl PolicyOutcome {
    /// `allow`, `deny` or `ask`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            PolicyOutcome::Allow => "allow",
            PolicyOutcome::Deny => "deny",
            PolicyOutcome::Ask(_) => "ask",
        }
    }
}

impl Verdict {
    #[cfg(feature = "cedar")]
    pub(crate) fn denied(policies: Vec<String>, errors: Vec<String>) -> Self {
        Self {
            outcome: PolicyOutcome::Deny,
            policies,
            errors,
        }
    }
}
