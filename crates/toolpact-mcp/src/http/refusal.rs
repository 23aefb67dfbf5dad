use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full};

use toolpact_http::NoRoom;

use super::service::Body;
use crate::rpc::{self, ErrorCode, Id, RpcError};

/// After how many seconds to try again when there is no room.
const RETRY: u32 = 1;

/// A request that is not answered, and why.
pub(super) struct Refusal {
    status: StatusCode,
    id: Option<Id>,
    error: Box<RpcError>,
    allow: Option<&'static str>,
    /// After how many seconds to try again.
    retry: Option<u32>,
    /// The header `WWW-Authenticate`.
    challenge: Option<Box<HeaderValue>>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self::of(status, None, RpcError::new(ErrorCode::OVERLOADED, message))
    }

    /// A message that cannot be read, or contradicts its headers.
    pub(super) fn of_message((id, error): (Option<Id>, RpcError)) -> Self {
        Self::of(StatusCode::BAD_REQUEST, id, error)
    }

    fn of(status: StatusCode, id: Option<Id>, error: RpcError) -> Self {
        Self {
            status,
            id,
            error: Box::new(error),
            allow: None,
            retry: None,
            challenge: None,
        }
    }

    /// A call that its sender may not make.
    pub(super) fn of_call(id: &Id, refusal: &toolpact_http::Refusal) -> Self {
        Self {
            id: Some(id.clone()),
            ..Self::of_layer(refusal)
        }
    }

    /// What its sender reads.
    pub(super) fn message(&self) -> Box<str> {
        (*self.error.message).into()
    }

    fn of_layer(refusal: &toolpact_http::Refusal) -> Self {
        Self {
            challenge: refusal.challenge().cloned().map(Box::new),
            ..Self::new(refusal.status(), refusal.message())
        }
    }

    /// There is no room for another of these now, and there may be in a moment.
    pub(super) fn full(full: NoRoom, what: &str) -> Self {
        let whose = match full {
            NoRoom::Address => "of this address ",
            NoRoom::Principal => "of this principal ",
            NoRoom::Server => "",
        };
        let message = format!(
            "There are too many {what} {whose}and all are in use. Close one, or try again in {RETRY} s."
        );
        Self {
            retry: Some(RETRY),
            ..Self::new(full.status(), message)
        }
    }

    /// A method of HTTP that is not answered here.
    pub(super) fn method_not_allowed(allow: &'static str) -> Self {
        let message = format!("expected the method to be one of: {allow}");
        Self {
            allow: Some(allow),
            ..Self::new(StatusCode::METHOD_NOT_ALLOWED, message)
        }
    }

    /// The answer: a message of JSON-RPC, as a client of MCP expects it.
    pub(super) fn into_response(self) -> Response<Body> {
        let (status, message) = (self.status, &self.error.message);
        tracing::debug!(target: "toolpact::mcp", %status, message, "refused");
        let body = rpc::Response::error(self.id.as_ref(), &self.error).json;
        let mut response = Response::new(Full::new(Bytes::from(body)).boxed());
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::CONTENT_TYPE, json);
        if let Some(challenge) = self.challenge {
            headers.insert(header::WWW_AUTHENTICATE, *challenge);
        }
        if let Some(retry) = self.retry {
            headers.insert(header::RETRY_AFTER, retry.into());
        }
        if let Some(allow) = self.allow {
            headers.insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }
}

/// What a layer refuses.
pub(super) fn respond(refusal: &toolpact_http::Refusal) -> Response<Body> {
    Refusal::of_layer(refusal).into_response()
}
