use std::fmt;

use super::{Pointer, Severity, Violation};

/// Everything that is wrong with one document, in document order.
///
/// As an error it means that there is at least one [`Severity::Error`] in it.
#[derive(Debug, Clone, Default)]
pub struct Violations {
    pub(crate) list: Vec<Violation>,
    pub(crate) omitted_errors: usize,
    pub(crate) omitted_warnings: usize,
}

impl Violations {
    /// Nothing is wrong, not even a warning.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.omitted() == 0
    }

    /// How many are listed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// How many more there are than [`Limits::violations`](crate::json::Limits) lets through.
    #[must_use]
    pub fn omitted(&self) -> usize {
        self.omitted_errors + self.omitted_warnings
    }

    /// The number of errors, omitted ones included.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.count(Severity::Error) + self.omitted_errors
    }

    /// The number of warnings, omitted ones included.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning) + self.omitted_warnings
    }

    /// The violations in document order.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.list.iter()
    }

    /// These and others about the same document, in document order.
    #[must_use]
    pub fn and(mut self, others: Violations) -> Self {
        self.list.extend(others.list);
        let start = |v: &Violation| v.location.as_ref().map(|place| place.span.start);
        self.list.sort_by_key(start);
        self.omitted_errors += others.omitted_errors;
        self.omitted_warnings += others.omitted_warnings;
        self
    }

    /// Without fixes: for a document whose kind is a guess, which must not be edited.
    #[must_use]
    pub fn without_fixes(mut self) -> Self {
        for violation in &mut self.list {
            if let Some(suggestion) = &mut violation.suggestion {
                suggestion.fix = None;
            }
        }
        self
    }

    /// The same without positions and fixes, for data that was not read from this text.
    #[must_use]
    pub(crate) fn without_source(mut self) -> Self {
        for violation in &mut self.list {
            violation.location = None;
        }
        self.without_fixes()
    }

    /// The same at other places.
    pub(crate) fn moved(mut self, to: impl Fn(&Pointer) -> Pointer) -> Self {
        for violation in &mut self.list {
            violation.pointer = to(&violation.pointer);
        }
        self
    }

    fn count(&self, severity: Severity) -> usize {
        self.iter().filter(|v| v.severity() == severity).count()
    }
}

impl<'a> IntoIterator for &'a Violations {
    type Item = &'a Violation;
    type IntoIter = std::slice::Iter<'a, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = std::vec::IntoIter<Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

/// One violation a line.
impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, violation) in self.iter().enumerate() {
            let line_break = if i == 0 { "" } else { "\n" };
            write!(f, "{line_break}{violation}")?;
        }
        match self.omitted() {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for Violations {}
