use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full};

use super::service::Body;
use crate::rpc::{self, ErrorCode, Id, RpcError};

/// A request that is not answered, and why.
pub(super) struct Refusal {
    status: StatusCode,
    id: Option<Id>,
    error: RpcError,
    allow: Option<&'static str>,
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
            error,
            allow: None,
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
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(allow) = self.allow {
            headers.insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }
}

/// What a layer refuses.
pub(super) fn respond(refusal: &toolpact_http::Refusal) -> Response<Body> {
    Refusal::new(refusal.status(), refusal.message()).into_response()
}
