use std::sync::Arc;

use toolpact_core::json::Value;
use toolpact_core::returns::StandardError;

use super::problem::PlanProblem;
use super::words::{list, shorten_to};

/// What came of each step of a plan, in the order of the plan.
#[derive(Debug, Clone)]
pub struct PlanResult {
    pub(super) steps: Vec<StepResult>,
    pub(super) problems: Vec<PlanProblem>,
}

/// What came of one step.
#[derive(Debug, Clone)]
pub struct StepResult {
    pub(super) id: Arc<str>,
    pub(super) tool: Box<str>,
    pub(super) outcome: StepOutcome,
    pub(super) held_up: Vec<Arc<str>>,
}

/// How one step ended.
#[derive(Debug, Clone, PartialEq)]
pub enum StepOutcome {
    /// The tool returned this.
    Done(Value),
    /// The tool failed, or its arguments could not be made.
    Failed(StandardError),
    /// It did not run.
    Skipped {
        /// The id of the step that failed before it, directly or through others.
        because: Arc<str>,
    },
}

impl PlanResult {
    /// Whether every step is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let mut outcomes = self.steps.iter().map(StepResult::outcome);
        outcomes.all(|outcome| matches!(outcome, StepOutcome::Done(_)))
    }

    /// The steps in the order of the plan.
    #[must_use]
    pub fn steps(&self) -> &[StepResult] {
        &self.steps
    }

    /// What came of a step.
    #[must_use]
    pub fn step(&self, id: &str) -> Option<&StepResult> {
        self.steps.iter().find(|step| step.id() == id)
    }

    /// Why nothing ran, if the plan was not sound. Empty if it was.
    #[must_use]
    pub fn problems(&self) -> &[PlanProblem] {
        &self.problems
    }

    /// Everything as JSON, values whole.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_json_with(StandardError::to_json)
    }

    /// Everything as JSON, with errors in a form of your own, which must be JSON.
    #[must_use]
    pub fn to_json_with(&self, error: impl Fn(&StandardError) -> String) -> String {
        let steps = self.steps.iter().map(|step| step.to_json(&error));
        let steps: Vec<String> = steps.collect();
        let (done, steps) = (self.is_done(), steps.join(","));
        format!(r#"{{"done":{done},"steps":[{steps}]}}"#)
    }

    /// A line for each step, long values cut short: enough for a model to see what to do next.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut lines = vec![self.summary()];
        lines.extend(self.steps.iter().map(|step| match &step.outcome {
            // Why nothing ran is in the lines of the steps that are wrong.
            StepOutcome::Skipped { .. } if !self.problems.is_empty() => {
                format!("- {} ({}): not run", step.id, step.tool)
            }
            _ => step.to_line(),
        }));
        lines.join("\n")
    }

    fn summary(&self) -> String {
        if !self.problems.is_empty() {
            return "Nothing ran, because something is wrong with the plan.".to_owned();
        }
        let mut counts = [0, 0, 0];
        for step in &self.steps {
            counts[match step.outcome {
                StepOutcome::Done(_) => 0,
                StepOutcome::Failed(_) => 1,
                StepOutcome::Skipped { .. } => 2,
            }] += 1;
        }
        let [done, failed, skipped] = counts;
        let all = self.steps.len();
        match failed + skipped {
            0 => format!("Steps done: {done} of {all}."),
            _ => format!("Steps done: {done} of {all}. Failed: {failed}. Not run: {skipped}."),
        }
    }
}

impl StepResult {
    /// The id of the step.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The tool it calls.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// How it ended.
    #[must_use]
    pub fn outcome(&self) -> &StepOutcome {
        &self.outcome
    }

    /// What the tool returned, if it did.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        match &self.outcome {
            StepOutcome::Done(value) => Some(value),
            _ => None,
        }
    }

    /// For a step that failed, the ids of those that could not run because of it.
    pub fn held_up(&self) -> impl ExactSizeIterator<Item = &str> {
        self.held_up.iter().map(|id| &**id)
    }

    fn to_json(&self, write_error: impl Fn(&StandardError) -> String) -> String {
        let (id, tool) = (quoted(&self.id), quoted(&self.tool));
        let rest = match &self.outcome {
            StepOutcome::Done(value) => format!(r#""status":"done","value":{value}"#),
            StepOutcome::Failed(error) => {
                let held_up: Vec<String> = self.held_up().map(quoted).collect();
                let (error, held_up) = (write_error(error), held_up.join(","));
                format!(r#""status":"failed","error":{error},"held_up":[{held_up}]"#)
            }
            StepOutcome::Skipped { because } => {
                format!(r#""status":"skipped","because":{}"#, quoted(because))
            }
        };
        format!(r#"{{"id":{id},"tool":{tool},{rest}}}"#)
    }

    fn to_line(&self) -> String {
        /// A value is one of many; what is wrong should be read to its end.
        const LONGEST_VALUE: usize = 300;
        const LONGEST_MESSAGE: usize = 2_000;
        let outcome = match &self.outcome {
            StepOutcome::Done(value) => {
                format!("done: {}", shorten_to(value.text(), LONGEST_VALUE))
            }
            StepOutcome::Failed(error) => {
                let error = shorten_to(&error.to_string(), LONGEST_MESSAGE);
                match self.held_up.is_empty() {
                    true => format!("failed: {error}"),
                    false => format!("failed: {error} (so {} did not run)", list(self.held_up())),
                }
            }
            StepOutcome::Skipped { because } => format!("not run, because `{because}` failed"),
        };
        format!("- {} ({}): {outcome}", self.id, self.tool)
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
