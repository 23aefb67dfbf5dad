//! Why a text is not a plan, or a plan cannot run.

use std::error::Error as StdError;
use std::fmt;

use toolpact_core::Violations;
use toolpact_core::returns::{ErrorKind as ToolErrorKind, StandardError};

use super::problem::PlanProblem;

/// Why a text is not a plan, or a plan cannot run on a host: every problem at once, with its place.
///
/// ```
/// use toolpact_plan::error::ErrorKind;
/// use toolpact_plan::{Plan, PlanRule};
///
/// let error = Plan::from_text(r#"[{"id": "a", "tol": "search"}]"#).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidPlan);
/// assert_eq!(error.place(), "step `a` at /tol");
/// assert_eq!(error.problems()[0].rule(), PlanRule::Shape);
/// ```
#[derive(Debug, Clone)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    kind: ErrorKind,
    place: String,
    problems: Vec<PlanProblem>,
    /// What is wrong with the text as JSON.
    source: Option<Violations>,
}

/// The kinds of [`Error`]. What each problem is about is its [`PlanRule`](crate::PlanRule).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text or a value is not a plan.
    InvalidPlan,
    /// The steps do not fit together, or not to the tools of the host.
    CannotRun,
}

impl Error {
    pub(super) fn new(
        kind: ErrorKind,
        problems: Vec<PlanProblem>,
        source: Option<Violations>,
    ) -> Self {
        let place = problems
            .first()
            .map_or_else(String::new, PlanProblem::place);
        Self(Box::new(Inner {
            kind,
            place,
            problems,
            source,
        }))
    }

    /// What is wrong, in the order of the text, up to a hundred errors and a hundred warnings.
    #[must_use]
    pub fn problems(&self) -> &[PlanProblem] {
        &self.0.problems
    }

    /// What is wrong, for programs.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where the first problem is: ``step `s2` at /args/id``. Empty if it is the plan as a whole.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.0.place
    }
}

/// One problem a line.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.problems().iter().map(PlanProblem::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}

/// For a tool that takes plans: its argument is wrong.
impl From<&Error> for StandardError {
    fn from(error: &Error) -> Self {
        StandardError::new(ToolErrorKind::WrongArgument, &error.to_string())
    }
}
