//! What is answered.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use serde_json::{Value as Json, json};
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::core::{Severity, Violations};

use crate::view::error_of;

/// A request that came to nothing: what `Error` in the OpenAPI document describes.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    error: Json,
}

impl Failure {
    /// A request that is not answered, for reasons of HTTP: with a status that its kind of error
    /// does not have.
    pub(crate) fn refused(status: StatusCode, kind: ErrorKind, message: &str) -> Self {
        let error = error_of(&StandardError::new(kind, message));
        Self { status, error }
    }

    /// With the status that its kind of error has.
    pub(crate) fn new(kind: ErrorKind, message: &str) -> Self {
        Self::of_error(&StandardError::new(kind, message))
    }

    pub(crate) fn of_error(error: &StandardError) -> Self {
        let status = StatusCode::from_u16(error.kind().http_status());
        Self {
            status: status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            error: error_of(error),
        }
    }

    pub(crate) fn invalid(message: &str) -> Self {
        Self::new(ErrorKind::WrongArgument, message)
    }

    pub(crate) fn not_found(message: &str) -> Self {
        Self::new(ErrorKind::NotFound, message)
    }

    /// A body that is not what it should be.
    pub(crate) fn of_violations(violations: &Violations) -> Self {
        Self::invalid(&violations.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = json_response(self.status, self.error.to_string());
        if self.status == StatusCode::UNAUTHORIZED {
            let bearer = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, bearer);
        }
        response
    }
}

/// Violations as everybody is told, in the shape that the details of a call have that was refused.
pub(crate) fn violations_of(violations: &Violations) -> Json {
    let one = |violation: &toolpact::core::Violation| {
        json!({
            "at": violation.pointer().to_string(),
            "rule": violation.code(),
            "message": violation.message(),
        })
    };
    let errors = violations
        .iter()
        .filter(|violation| violation.severity() == Severity::Error);
    errors.map(one).collect()
}

/// JSON on a line of its own, for those who read it in a terminal.
pub(crate) fn json_response(status: StatusCode, json: impl Into<Vec<u8>>) -> Response {
    let mut line = json.into();
    line.push(b'\n');
    typed_response(status, "application/json", line)
}

pub(crate) fn typed_response(
    status: StatusCode,
    content_type: &'static str,
    body: impl Into<Body>,
) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let content_type = HeaderValue::from_static(content_type);
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    response
}
