use super::Violations;

/// The outcome of checking a document: its value, if there is no error, and the violations.
#[derive(Debug)]
#[non_exhaustive]
pub struct Checked<T> {
    /// `Some` exactly if no violation is an error.
    pub value: Option<T>,
    /// Errors and warnings in document order.
    pub violations: Violations,
}

impl<T> Checked<T> {
    /// The same about something else that follows from the value.
    pub(crate) fn map<U>(self, to: impl FnOnce(T) -> U) -> Checked<U> {
        Checked {
            value: self.value.map(to),
            violations: self.violations,
        }
    }

    /// The value, or why there is none. Warnings are dropped.
    pub fn into_result(self) -> Result<T, Violations> {
        self.value.ok_or(self.violations)
    }
}
