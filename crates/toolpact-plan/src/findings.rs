use toolpact_core::{Pointer, Severity, Violations};

use super::error::{Error, ErrorKind};
use super::problem::{PlanProblem, PlanRule};

/// Collects problems, not more than anyone would read.
#[derive(Debug, Default)]
pub(super) struct Findings {
    list: Vec<PlanProblem>,
    errors: usize,
    warnings: usize,
}

impl Findings {
    const MOST: usize = 100;

    /// Adds a problem. It is made only if there is room for it: looking for suggestions takes time.
    pub(super) fn add(&mut self, rule: PlanRule, make: impl FnOnce() -> Draft) {
        // Counted apart, so that no number of warnings keeps an error from being seen.
        let found = match rule.severity() {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *found += 1;
        if *found > Self::MOST {
            return;
        }
        let draft = make();
        self.list.push(PlanProblem {
            rule,
            step: draft.step,
            pointer: draft.pointer,
            message: draft.message,
            suggestion: draft.suggestion,
        });
    }

    /// The error about a text that is not a plan.
    pub(super) fn into_error(self, source: Option<Violations>) -> Error {
        Error::new(ErrorKind::InvalidPlan, self.list, source)
    }

    pub(super) fn finish(self) -> Vec<PlanProblem> {
        self.list
    }

    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }
}

/// A problem without its rule.
#[derive(Debug, Default)]
pub(super) struct Draft {
    step: Option<Box<str>>,
    pointer: Pointer,
    message: String,
    suggestion: Option<String>,
}

impl Draft {
    pub(super) fn new(message: String) -> Self {
        Self {
            message,
            ..Self::default()
        }
    }

    pub(super) fn in_step(self, id: &str) -> Self {
        let step = Some(id.into());
        Self { step, ..self }
    }

    pub(super) fn at(self, pointer: &Pointer) -> Self {
        let pointer = pointer.clone();
        Self { pointer, ..self }
    }

    pub(super) fn advise(self, suggestion: Option<String>) -> Self {
        Self { suggestion, ..self }
    }
}
