use serde::Serialize;
use serde_json::{Value as Json, json};

use super::Id;
use crate::version::Version;

/// The codes of errors, by JSON-RPC and by MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ErrorCode(i32);

impl ErrorCode {
    /// No JSON.
    pub const PARSE: Self = Self(-32700);
    /// No message of JSON-RPC.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// No such method.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// Wrong parameters.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// The server failed.
    pub const INTERNAL: Self = Self(-32603);
    /// A version of MCP that is not spoken.
    pub const UNSUPPORTED_VERSION: Self = Self(-32022);
    /// The client lacks a capability.
    pub const MISSING_CAPABILITY: Self = Self(-32021);
    /// Headers and body disagree.
    pub const HEADER_MISMATCH: Self = Self(-32020);
    /// Too much at once.
    pub const OVERLOADED: Self = Self(-32000);
    /// No such resource.
    pub const RESOURCE_NOT_FOUND: Self = Self(-32002);

    /// The code of another server.
    pub fn of(code: i32) -> Self {
        Self(code)
    }

    pub(crate) fn number(self) -> i32 {
        self.0
    }
}

/// Why a request has no result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RpcError {
    /// What kind of error it is.
    pub code: ErrorCode,
    /// What is wrong, for people.
    pub message: String,
    /// More about it, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Json>,
}

/// A message that could not be read, with the identifier of the request if it has one.
pub(crate) type Refused = (Option<Id>, RpcError);

impl RpcError {
    /// An error without further data.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            code,
            message,
            data: None,
        }
    }

    pub(crate) fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST, message)
    }

    /// Wrong parameters, and what was expected.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::INVALID_PARAMS, message)
    }

    /// The server failed.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::INTERNAL, message)
    }

    pub(crate) fn header_mismatch(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::HEADER_MISMATCH, message)
    }

    /// What runs has to end first.
    pub(crate) fn overloaded(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::OVERLOADED, message)
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self::new(ErrorCode::METHOD_NOT_FOUND, method)
    }

    pub(crate) fn unsupported_version(requested: &str) -> Self {
        let supported = Version::ALL.map(Version::name);
        Self {
            data: Some(json!({"requested": requested, "supported": supported})),
            ..Self::new(
                ErrorCode::UNSUPPORTED_VERSION,
                "Unsupported protocol version",
            )
        }
    }

    /// A tool needs capabilities of its client that this one has not declared.
    pub(crate) fn missing_capability(required: &Json) -> Self {
        Self {
            data: Some(json!({"requiredCapabilities": required})),
            ..Self::new(
                ErrorCode::MISSING_CAPABILITY,
                "Missing required client capability",
            )
        }
    }
}
