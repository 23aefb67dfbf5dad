//! Plans: steps that depend on each other.

mod check;
mod fields;
mod fill;
mod findings;
mod graph;
mod host;
mod limits;
mod problem;
mod read;
mod reference;
mod scan;
mod step;
mod template;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashMap;

use toolpact_core::Severity;
use toolpact_core::json::Value;

pub use host::Host;
pub use limits::PlanLimits;
pub use problem::{PlanError, PlanProblem, PlanRule};
pub use reference::Reference;
pub use step::Step;

/// A list of steps. Every step is well-formed and has an id of its own; whether they fit together
/// and to the tools there are is what [`check`](Plan::check) finds out.
#[derive(Debug, Clone)]
pub struct Plan {
    steps: Vec<Step>,
    /// The position of each step by its id.
    numbers: HashMap<Box<str>, usize>,
}

impl Plan {
    /// Reads a plan from what a model wrote: an array of steps, an object with `steps`, one step,
    /// or a text with one of these in a fenced block.
    pub fn from_text(text: &str) -> Result<Self, PlanError> {
        Self::from_text_within(text, &PlanLimits::default())
    }

    /// Reads a plan from what a model wrote, within limits of your own.
    pub fn from_text_within(text: &str, limits: &PlanLimits) -> Result<Self, PlanError> {
        read::from_text(text, limits)
    }

    /// Reads a plan from a value, such as an argument of a tool that takes plans.
    pub fn from_value(value: &Value) -> Result<Self, PlanError> {
        Self::from_value_within(value, &PlanLimits::default())
    }

    /// Reads a plan from a value, within limits of your own.
    pub fn from_value_within(value: &Value, limits: &PlanLimits) -> Result<Self, PlanError> {
        read::from_value(value, limits)
    }

    /// The steps in the order they were written.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The step of this id.
    #[must_use]
    pub fn step(&self, id: &str) -> Option<&Step> {
        self.steps.get(*self.numbers.get(id)?)
    }

    /// Looks whether the plan can run on this host, and runs nothing: that its tools are there, that
    /// references lead to steps and to fields which these promise, and that no steps wait for each
    /// other.
    ///
    /// It is an error if there is at least one [`Severity::Error`]; warnings are then in the list
    /// too. [`problems`](Plan::problems) gives them in any case.
    pub fn check(&self, host: &impl Host) -> Result<(), Vec<PlanProblem>> {
        let problems = self.problems(host);
        let is_error = |problem: &PlanProblem| problem.severity() == Severity::Error;
        match problems.iter().any(is_error) {
            true => Err(problems),
            false => Ok(()),
        }
    }

    /// Everything that is wrong or doubtful, up to a hundred errors and a hundred warnings.
    #[must_use]
    pub fn problems(&self, host: &impl Host) -> Vec<PlanProblem> {
        check::problems(self, host)
    }

    fn new(steps: Vec<Step>) -> Self {
        let ids = steps.iter().enumerate();
        let numbers = ids
            .map(|(number, step)| (step.id.clone(), number))
            .collect();
        Self { steps, numbers }
    }
}
