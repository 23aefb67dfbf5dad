use std::borrow::Cow;

use http::{HeaderValue, StatusCode};

/// A request that is not answered, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    status: StatusCode,
    message: Cow<'static, str>,
    challenge: Option<HeaderValue>,
}

impl Refusal {
    /// With a status of HTTP, and what was expected.
    #[must_use]
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        let challenge = HeaderValue::from_static("Bearer");
        Self {
            status,
            message: message.into(),
            challenge: (status == StatusCode::UNAUTHORIZED).then_some(challenge),
        }
    }

    /// With another `WWW-Authenticate` than `Bearer`: what the client has to show, and where to get it.
    #[must_use]
    pub fn challenging(mut self, challenge: HeaderValue) -> Self {
        self.challenge = Some(challenge);
        self
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

    /// The header `WWW-Authenticate` of the answer.
    #[must_use]
    pub fn challenge(&self) -> Option<&HeaderValue> {
        self.challenge.as_ref()
    }
}
