//! Plans: steps that depend on each other.
//!
//! A plan is what a model writes when it knows several calls at once: a list of steps, each of
//! which calls a tool and may read the results of others. It is parsed ([`Plan::from_text`]), checked
//! before anything runs ([`Plan::check`]) and run ([`Plan::run`]) on a [`Host`], which has the tools.
//!
//! A plan passes values on and checks none of them: the host checks them against contracts. The plan
//! uses contracts only to find beforehand that a step reads a field that another cannot return.
//!
//! # Steps
//!
//! ```json
//! {"id": "s1", "tool": "search_orders", "args": {"customer": "c7"}, "after": ["s0"]}
//! ```
//!
//! - `tool` (or `name`) is required. `args` (or `arguments`, `input`, `parameters`) is an object, and
//!   empty if it is left out.
//! - `id` (or `step`) is made of letters, digits, `_` and `-`; without one a step is called `step1`,
//!   `step2`, … by its position. Integers are taken as well.
//! - `after` (or `depends_on`, `dependencies`) is a list of ids, or one. A step waits for those it
//!   names and for those it refers to.
//! - `null` is the same as leaving a field out. Two names of one field are a problem, and so are
//!   other keys, because one of them could be a condition; except for remarks such as `description`,
//!   `reason` or `thought`.
//!
//! # References
//!
//! Any string in `args`, at any depth, may have references in it: `{{s1.data[0].id}}`, or
//! `{{ s1.data.0.id }}`, or `{{s1["odd key"]}}`. Keys of objects are never replaced.
//!
//! - A string that is nothing but a reference becomes the value, of whatever type it is. That goes
//!   for `args` as a whole too, if the value is an object.
//! - In a longer string a text is inserted as it is and any other value as JSON.
//! - `{{{{` stands for `{{`, so `{{{{ name }}` is the text `{{ name }}`. Closing braces need nothing.
//! - References in inserted values are not replaced.
//!
//! ```
//! use std::sync::Arc;
//!
//! use toolpact::core::contract::Contract;
//! use toolpact::core::json::Value;
//! use toolpact::core::returns::StandardError;
//! use toolpact_plan::{Host, Plan, PlanLimits};
//!
//! /// A host with one tool, which gives back what it gets.
//! struct Echo(Arc<Contract>);
//!
//! impl Host for Echo {
//!     fn contract(&self, tool: &str) -> Option<Arc<Contract>> {
//!         (tool == "echo").then(|| self.0.clone())
//!     }
//!
//!     fn names(&self) -> Vec<String> {
//!         vec!["echo".to_owned()]
//!     }
//!
//!     async fn call(&self, _tool: &str, args: Value) -> Result<Value, StandardError> {
//!         Ok(args)
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let host = Echo(Arc::new(Contract::from_json(r#"{
//!     "name": "echo",
//!     "description": "Gives back what it gets.",
//!     "parameters": {"type": "object"},
//!     "returns": {"type": "object", "properties": {"n": {"type": "integer"}}}
//! }"#)?));
//!
//! let plan = Plan::from_text(r#"[
//!     {"id": "a", "tool": "echo", "args": {"n": 5}},
//!     {"id": "b", "tool": "echo", "args": {"n": "{{a.n}}", "text": "n is {{a.n}}"}}
//! ]"#)?;
//! let result = plan.run(&host, PlanLimits::default()).await;
//! let value = result.step("b").and_then(|step| step.value()).unwrap();
//! assert_eq!(value.text(), r#"{"n": 5, "text": "n is 5"}"#);
//!
//! let plan = Plan::from_text(r#"[
//!     {"id": "a", "tool": "ehco"},
//!     {"id": "b", "tool": "echo", "args": {"n": "{{a.n}}"}},
//!     {"id": "c", "tool": "echo", "args": {"n": "{{b.n.first}}"}}
//! ]"#)?;
//! let error = plan.check(&host).unwrap_err();
//! let problems = error.problems();
//! assert_eq!(
//!     problems[0].to_string(),
//!     "error[plan-unknown-tool] in step `a` at /tool: expected one of the tools `echo`, found `ehco`; \
//!      did you mean `echo`?"
//! );
//! assert_eq!(
//!     problems[1].to_string(),
//!     "error[plan-unknown-field] in step `c` at /args/n: expected something that `echo` can return, \
//!      found the field `first`: `b.n` is an integer"
//! );
//! # Ok(())
//! # }
//! ```

mod check;
pub mod error;
mod fields;
mod fill;
mod findings;
mod graph;
mod host;
mod limits;
mod problem;
mod read;
mod reference;
mod result;
mod run;
mod scan;
mod session;
mod step;
mod template;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashMap;

use error::ErrorKind;
use toolpact_core::Severity;
use toolpact_core::json::Value;

pub use error::Error;
pub use host::Host;
pub use limits::PlanLimits;
pub use problem::{PlanProblem, PlanRule};
pub use reference::StepReference;
pub use result::{PlanResult, StepOutcome, StepResult};
pub use step::PlanStep;

/// A list of steps. Every step is well-formed and has a unique id; [`check`](Plan::check) finds out
/// whether they fit together and to the tools of a host.
#[derive(Debug, Clone)]
pub struct Plan {
    steps: Vec<PlanStep>,
    /// The position of each step by its id.
    numbers: HashMap<Box<str>, usize>,
}

impl Plan {
    /// Reads a plan from what a model wrote: an array of steps, an object with `steps`, one step,
    /// or a text with one of these in a fenced block.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        Self::from_text_within(text, &PlanLimits::default())
    }

    /// Reads a plan from what a model wrote, within limits of your own.
    pub fn from_text_within(text: &str, limits: &PlanLimits) -> Result<Self, Error> {
        read::from_text(text, limits)
    }

    /// Reads a plan from a value, such as an argument of a tool that takes plans.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        Self::from_value_within(value, &PlanLimits::default())
    }

    /// Reads a plan from a value, within limits of your own.
    pub fn from_value_within(value: &Value, limits: &PlanLimits) -> Result<Self, Error> {
        read::from_value(value, limits)
    }

    /// The steps in the order they were written.
    #[must_use]
    pub fn steps(&self) -> &[PlanStep] {
        &self.steps
    }

    /// The step of this id.
    #[must_use]
    pub fn step(&self, id: &str) -> Option<&PlanStep> {
        self.steps.get(*self.numbers.get(id)?)
    }

    /// Checks whether the plan can run on this host, and runs nothing: that its tools exist, that
    /// references lead to steps and to fields that these promise, and that no steps wait for each
    /// other.
    ///
    /// It is an error if there is at least one [`Severity::Error`]; warnings are then among the
    /// problems too. [`problems`](Plan::problems) gives them in any case.
    pub fn check(&self, host: &impl Host) -> Result<(), Error> {
        let problems = self.problems(host);
        let is_error = |problem: &PlanProblem| problem.severity() == Severity::Error;
        match problems.iter().any(is_error) {
            true => Err(Error::new(ErrorKind::CannotRun, problems, None)),
            false => Ok(()),
        }
    }

    /// Everything that is wrong or doubtful, up to a hundred errors and a hundred warnings.
    #[must_use]
    pub fn problems(&self, host: &impl Host) -> Vec<PlanProblem> {
        check::problems(self, host)
    }

    /// Runs the plan: every step as soon as the steps it waits for are done, concurrently with others,
    /// each at most once.
    ///
    /// A plan that [`check`](Plan::check) refuses does not begin. Steps that wait for a failed one
    /// do not run; all others do. Dropping the future drops the calls in progress.
    pub async fn run(&self, host: &impl Host, limits: PlanLimits) -> PlanResult {
        run::run(self, host, limits).await
    }

    fn new(steps: Vec<PlanStep>) -> Self {
        let ids = steps.iter().enumerate();
        let numbers = ids
            .map(|(number, step)| (step.id.clone(), number))
            .collect();
        Self { steps, numbers }
    }
}

/// The Rust of the page about plans runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/plan.md")]
struct Page;
