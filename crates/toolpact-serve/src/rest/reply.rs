//! What is answered.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{
    CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use toolpact::core::memory::MemoryShare;
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::core::{Severity, Violation, Violations};

use toolpact_http::HeldBody;

use super::route::{Operation, Output};
use super::schema::{Direction, schema};
use crate::view::error_of;

const JSON: &str = "application/json";

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

    /// There is no room now, and there may be in a moment.
    pub(crate) fn try_later(status: StatusCode, message: &str) -> Self {
        let error = StandardError::new(ErrorKind::TooManyAtOnce, message);
        let error = error_of(&error.with_detail(RETRY_AFTER_MS, 1000));
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

    /// As the result of one of several calls.
    pub(super) fn to_result(&self) -> String {
        json!({"error": self.error}).to_string()
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

/// An answer of this type as JSON.
pub(super) struct Reply<T>(pub(super) T);

/// The same, with what it takes of the memory for results.
pub(super) struct HeldReply<T> {
    pub(super) reply: Reply<T>,
    pub(super) memory: Vec<Arc<MemoryShare>>,
}

/// The same, of what was made.
pub(super) struct Created<T>(pub(super) T);

/// There is nothing to say.
pub(super) struct NoContent;

/// An answer that is no JSON.
pub(super) struct Text {
    /// With parameters, such as `text/plain; charset=utf-8`.
    pub(super) content_type: &'static str,
    pub(super) text: String,
}

/// A page for people.
pub(super) struct Html(pub(super) String);

/// An answer whose JSON is not the same for all requests.
pub(super) struct AnyReply(pub(super) Response);

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        serialized(StatusCode::OK, &self.0)
    }
}

impl<T: Serialize> IntoResponse for HeldReply<T> {
    fn into_response(self) -> Response {
        held(self.reply.into_response(), self.memory)
    }
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        serialized(StatusCode::CREATED, &self.0)
    }
}

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl IntoResponse for Text {
    fn into_response(self) -> Response {
        typed_response(StatusCode::OK, self.content_type, self.text)
    }
}

impl IntoResponse for Html {
    fn into_response(self) -> Response {
        html_document(self.0.into())
    }
}

impl IntoResponse for AnyReply {
    fn into_response(self) -> Response {
        self.0
    }
}

fn serialized<T: Serialize>(status: StatusCode, answer: &T) -> Response {
    match serde_json::to_vec(answer) {
        Ok(json) => json_response(status, json),
        Err(error) => {
            tracing::error!(%error, "an answer could not be written");
            let message = "The answer could not be written.";
            Failure::new(ErrorKind::Internal, message).into_response()
        }
    }
}

impl<T: JsonSchema> Output for Reply<T> {
    fn describe(operation: &mut Operation) {
        let schema = schema::<T>(Direction::Answer);
        operation.answers(StatusCode::OK, Some((JSON, schema)));
    }
}

impl<T: JsonSchema> Output for HeldReply<T> {
    fn describe(operation: &mut Operation) {
        Reply::<T>::describe(operation);
    }
}

impl<T: JsonSchema> Output for Created<T> {
    fn describe(operation: &mut Operation) {
        let schema = schema::<T>(Direction::Answer);
        operation.answers(StatusCode::CREATED, Some((JSON, schema)));
    }
}

impl Output for NoContent {
    fn describe(operation: &mut Operation) {
        operation.answers(StatusCode::NO_CONTENT, None);
    }
}

impl Output for Text {
    fn describe(operation: &mut Operation) {
        let schema = json!({"type": "string"});
        operation.answers(StatusCode::OK, Some(("text/plain", schema)));
    }
}

impl Output for Html {
    fn describe(operation: &mut Operation) {
        let schema = json!({"type": "string"});
        operation.answers(StatusCode::OK, Some(("text/html", schema)));
    }
}

impl Output for AnyReply {
    fn describe(operation: &mut Operation) {
        operation.answers(StatusCode::OK, Some((JSON, json!({}))));
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = json_response(self.status, self.error.to_string());
        if self.status == StatusCode::UNAUTHORIZED {
            let bearer = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, bearer);
        }
        let ms = self.error["details"][RETRY_AFTER_MS].as_u64();
        tell_when_to_retry(&mut response, ms);
        response
    }
}

/// The detail of an error that says when to try again.
pub(super) const RETRY_AFTER_MS: &str = "retry_after_ms";

/// In whole seconds, as HTTP has it.
pub(super) fn tell_when_to_retry(response: &mut Response, ms: Option<u64>) {
    if let Some(ms) = ms {
        let seconds = HeaderValue::from(ms.div_ceil(1000).max(1));
        response.headers_mut().insert(RETRY_AFTER, seconds);
    }
}

/// A violation, in the shape that the details of a refused call have.
#[derive(Serialize, JsonSchema)]
pub(super) struct ViolationReply {
    at: String,
    rule: &'static str,
    message: String,
}

impl ViolationReply {
    /// Those that are errors.
    pub(super) fn all(violations: &Violations) -> Vec<Self> {
        let errors = violations
            .iter()
            .filter(|violation| violation.severity() == Severity::Error);
        let one = |violation: &Violation| Self {
            at: violation.pointer().to_string(),
            rule: violation.code(),
            message: violation.message().to_owned(),
        };
        errors.map(one).collect()
    }
}

/// JSON on a line of its own, for those who read it in a terminal.
pub(crate) fn json_response(status: StatusCode, json: impl Into<Vec<u8>>) -> Response {
    let mut line = json.into();
    line.push(b'\n');
    typed_response(status, JSON, line)
}

/// A document that is written already, with its last line.
pub(super) fn json_document(line: Bytes) -> Response {
    typed_response(StatusCode::OK, JSON, line)
}

/// A document as a line of JSON.
pub(super) fn line_of(document: &impl Serialize) -> Result<Vec<u8>, &'static str> {
    let line = serde_json::to_vec(document);
    let mut line = line.map_err(|_| "it cannot be written as JSON")?;
    line.push(b'\n');
    Ok(line)
}

/// A page for people that is written already.
pub(super) fn html_document(html: Bytes) -> Response {
    let mut response = typed_response(StatusCode::OK, "text/html; charset=utf-8", html);
    let no_guess = HeaderValue::from_static("nosniff");
    response
        .headers_mut()
        .insert(X_CONTENT_TYPE_OPTIONS, no_guess);
    response
}

/// An answer that takes a part of the memory for results until it is sent.
pub(super) fn held(
    response: Response,
    memory: impl IntoIterator<Item = Arc<MemoryShare>>,
) -> Response {
    let memory: Vec<_> = memory.into_iter().collect();
    match memory.is_empty() {
        true => response,
        false => response.map(|body| Body::new(HeldBody::new(body, Arc::new(memory)))),
    }
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
