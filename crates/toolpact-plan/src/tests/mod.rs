//! Plans from text to result, on a host that is made for the test.

mod check;
mod host;
mod hostile;
mod order;
mod read;
mod run;

use host::Shop;

use super::{Plan, PlanProblem};

/// A plan that is well-formed.
fn plan(text: &str) -> Plan {
    Plan::from_text(text).unwrap()
}

fn lines(problems: &[PlanProblem]) -> String {
    let lines: Vec<String> = problems.iter().map(PlanProblem::to_string).collect();
    lines.join("\n")
}
