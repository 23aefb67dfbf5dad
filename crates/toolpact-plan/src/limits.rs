use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The limits of a plan. As JSON, what is left out is the default: `{"steps": 20, "at_once": 4}`.
///
/// A model writes plans, and what a model read may have told it what to write. So nothing in a
/// plan may grow without bound: a step that inserts a result twice, and a next one that inserts
/// that twice, would double it for each step.
///
/// ```
/// use toolpact_plan::{Plan, PlanLimits};
///
/// let limits = PlanLimits::default().steps(1);
/// let refused = Plan::from_text_within(r#"[{"tool": "a"}, {"tool": "b"}]"#, &limits).unwrap_err();
/// assert_eq!(refused.to_string(), "error[plan-limit]: expected at most 1 step, found 2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct PlanLimits {
    /// Most steps.
    pub steps: usize,
    /// Most references in all steps together.
    pub references: usize,
    /// Longest text of a plan, in bytes.
    pub plan_bytes: usize,
    /// Longest arguments of one step with all values inserted, in bytes.
    pub args_bytes: usize,
    /// Most steps that run at the same time. Zero is taken as one.
    pub at_once: usize,
}

impl Default for PlanLimits {
    fn default() -> Self {
        Self {
            steps: 1_000,
            references: 10_000,
            plan_bytes: 16 << 20,
            args_bytes: 16 << 20,
            at_once: 16,
        }
    }
}

impl PlanLimits {
    /// The same limits with another number of steps.
    #[must_use]
    pub fn steps(self, steps: usize) -> Self {
        Self { steps, ..self }
    }

    /// The same limits with another number of references.
    #[must_use]
    pub fn references(self, references: usize) -> Self {
        Self { references, ..self }
    }

    /// The same limits with another length of the plan.
    #[must_use]
    pub fn plan_bytes(self, plan_bytes: usize) -> Self {
        Self { plan_bytes, ..self }
    }

    /// The same limits with another length of the arguments.
    #[must_use]
    pub fn args_bytes(self, args_bytes: usize) -> Self {
        Self { args_bytes, ..self }
    }

    /// The same limits with another number of steps at the same time.
    #[must_use]
    pub fn at_once(self, at_once: usize) -> Self {
        Self { at_once, ..self }
    }
}
