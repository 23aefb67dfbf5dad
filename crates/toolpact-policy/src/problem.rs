//! What is wrong with policies.

use std::fmt;
use std::path::PathBuf;

/// One thing that is wrong with a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// Where it is.
    pub origin: PolicyOrigin,
    /// Line and column, from 1, if they are known.
    pub place: Option<(usize, usize)>,
    /// What was expected and what was found.
    pub message: String,
}

/// Where a policy comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PolicyOrigin {
    /// A file in Cedar.
    File(PathBuf),
    /// An entry of `allow` in the config.
    Allow(usize),
    /// The policies as a whole.
    All,
}

/// `policies.cedar:3:5: …`, or `at /policy/allow/0: …`
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.origin, self.place) {
            (PolicyOrigin::File(path), Some((line, column))) => {
                write!(f, "{}:{line}:{column}: ", path.display())?;
            }
            (PolicyOrigin::File(path), None) => write!(f, "{}: ", path.display())?,
            (PolicyOrigin::Allow(place), _) => write!(f, "at /policy/allow/{place}: ")?,
            (PolicyOrigin::All, _) => {}
        }
        f.write_str(&self.message)
    }
}

/// What is wrong with policies: at least one problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyError(pub(crate) Vec<Problem>);

impl PolicyError {
    /// Each thing that is wrong.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.0
    }

    pub(crate) fn new(origin: PolicyOrigin, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(vec![Problem {
            origin,
            place: None,
            message,
        }])
    }
}

/// A line for each problem.
impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.0.iter().enumerate() {
            let line = if place > 0 { "\n" } else { "" };
            write!(f, "{line}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PolicyError {}
