use std::borrow::Cow;

use http::StatusCode;

/// A request that is not answered, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    status: StatusCode,
    message: Cow<'static, str>,
}

impl Refusal {
    /// With a status of HTTP, and what was expected.
    #[must_use]
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        let message = message.into();
        Self { status, message }
    }

    /// The status of HTTP.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// What was expected.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}
