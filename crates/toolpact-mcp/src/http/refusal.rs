use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use rmcp::model::{ErrorCode, ErrorData, JsonRpcError, RequestId};

use super::service::Body;

/// A request that is not answered, and why.
#[derive(Debug, Clone)]
pub struct Refusal {
    status: StatusCode,
    id: Option<RequestId>,
    error: ErrorData,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        // Of the codes that JSON-RPC leaves to servers.
        let error = ErrorData::new(ErrorCode(-32000), message.into(), None);
        Self {
            status,
            id: None,
            error,
        }
    }

    pub(super) fn of_message((id, error): (Option<RequestId>, ErrorData)) -> Self {
        let status = StatusCode::BAD_REQUEST;
        Self { status, id, error }
    }

    /// The status of HTTP.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// What was expected.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.error.message
    }

    /// The answer: a message of JSON-RPC, as a client of MCP expects it.
    #[must_use]
    pub fn into_response(self) -> Response<Body> {
        let error = JsonRpcError::new(self.id, self.error);
        let body = serde_json::to_vec(&error).unwrap_or_default();
        let mut response = Response::new(Full::new(Bytes::from(body)).boxed());
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::CONTENT_TYPE, json);
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
