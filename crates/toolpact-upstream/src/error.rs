use std::error::Error;
use std::fmt;
use std::io::ErrorKind as ErrorKindOfIo;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use toolpact::ToolError;
use toolpact::core::Violations;
use toolpact::core::returns::ErrorKind;

use serde_json::json;

use crate::place::Place;
use toolpact_http::outgoing::is_refused;
use toolpact_mcp::RpcError;

type HttpError = StreamableHttpError<reqwest::Error>;

const UNREACHABLE: &str = "The server behind this tool cannot be reached.";

/// Why another server cannot be used. This is for operators; models learn less.
#[derive(Debug, Clone)]
pub struct UpstreamError {
    place: String,
    reason: Reason,
}

#[derive(Debug, Clone)]
pub(crate) enum Reason {
    Settings(String),
    Start(Arc<std::io::Error>),
    Begin {
        why: String,
        /// Whether the server has answered, and refused.
        refused: bool,
    },
    NoServer,
    TooLong(Duration),
    Lost,
    Unreachable,
    Refused(Box<ErrorData>),
    List(String),
    NoMemory,
    Tools(Violations),
    NoSuchTool(Box<str>),
}

impl UpstreamError {
    pub(crate) fn begin(place: &Place, error: &dyn Error) -> Self {
        let causes = std::iter::successors(Some(error), |error| (*error).source());
        let mut told: Vec<String> = Vec::new();
        for cause in causes.map(|cause| without_types(place.hide(&cause.to_string()).trim())) {
            // Some tell their cause themselves.
            if !told.last().is_some_and(|last| last.contains(&cause)) {
                told.push(cause);
            }
        }
        let why = told.join(": ");
        Self::new(
            place,
            Reason::Begin {
                why,
                refused: false,
            },
        )
    }

    /// Why a connection does not begin, as rmcp reports it.
    pub(crate) fn initialize(place: &Place, error: &ClientInitializeError) -> Self {
        match http_error(error) {
            Some(StreamableHttpError::Client(error)) if is_refused(error) => {
                Self::new(place, Reason::NoServer)
            }
            Some(error) => Self::begin(place, error).refused(place.advice()),
            None if matches!(error, ClientInitializeError::JsonRpcError(_)) => {
                Self::begin(place, error).refused(None)
            }
            None => Self::begin(place, error),
        }
    }

    /// The server has answered. With what to do about it, where that can be told.
    fn refused(mut self, advice: Option<&str>) -> Self {
        if let Reason::Begin { why, refused } = &mut self.reason {
            *refused = true;
            why.extend(advice.into_iter().flat_map(|advice| ["; ", advice]));
        }
        self
    }

    /// Whether the server is there, and does not want to begin like this.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self.reason, Reason::Begin { refused: true, .. })
    }

    pub(crate) fn is_method_not_found(&self) -> bool {
        matches!(&self.reason, Reason::Refused(error) if error.code == ErrorCode::METHOD_NOT_FOUND)
    }

    pub(crate) fn of_service(place: &impl ToString, error: ServiceError) -> Self {
        Self::new(
            place,
            match error {
                ServiceError::McpError(error) => Reason::Refused(Box::new(error)),
                ServiceError::TransportSend(error) if is_unsent(&error) => Reason::Unreachable,
                ServiceError::TransportSend(error) if has_no_memory(&error) => Reason::NoMemory,
                _ => Reason::Lost,
            },
        )
    }

    pub(crate) fn new(place: &(impl ToString + ?Sized), reason: Reason) -> Self {
        let place = place.to_string();
        Self { place, reason }
    }

    /// What a call comes to for this reason.
    pub(crate) fn into_tool_error(self) -> ToolError {
        match &self.reason {
            Reason::Refused(error) => of_answer(error),
            Reason::NoMemory => ToolError::no_memory(),
            Reason::TooLong(_) => ToolError::new(
                ErrorKind::DependencyTimedOut,
                "The server behind this tool did not answer in time.",
            ),
            // Nothing was asked of it.
            Reason::Start(_) | Reason::Begin { .. } | Reason::NoServer | Reason::Unreachable => {
                ToolError::unavailable(UNREACHABLE).with_detail("request_sent", false)
            }
            _ => ToolError::unavailable(UNREACHABLE),
        }
        .with_source(self)
    }
}

/// What a request that is passed through comes to: what the server says itself is passed through, too.
impl From<UpstreamError> for RpcError {
    fn from(error: UpstreamError) -> Self {
        if let Reason::Refused(said) = error.reason {
            return Self {
                data: said.data,
                ..Self::new(toolpact_mcp::ErrorCode::of(said.code.0), said.message)
            };
        }
        tracing::warn!(target: "toolpact::mcp", %error, "a request was not passed through");
        let error = error.into_tool_error();
        let message = error.message().replace("this tool", "this");
        Self {
            data: Some(json!({"code": error.code()})),
            ..Self::internal(message)
        }
    }
}

/// What HTTP came to.
fn http_error(error: &ClientInitializeError) -> Option<&HttpError> {
    match error {
        ClientInitializeError::TransportError { error, .. } => error.error.downcast_ref(),
        _ => None,
    }
}

/// Whether a request came to nothing before there was a connection.
fn is_unsent(error: &DynamicTransportError) -> bool {
    match error.error.downcast_ref::<HttpError>() {
        Some(StreamableHttpError::Client(error)) => error.is_connect(),
        _ => false,
    }
}

/// Whether there was no memory for the answer.
fn has_no_memory(error: &DynamicTransportError) -> bool {
    match error.error.downcast_ref::<HttpError>() {
        Some(StreamableHttpError::Io(error)) => error.kind() == ErrorKindOfIo::OutOfMemory,
        _ => false,
    }
}

/// rmcp names the types of its transports in brackets, which help nobody.
fn without_types(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once(" [") {
        plain.push_str(before);
        rest = match after.split_once(']') {
            Some((inside, after)) if inside.contains("::") => after,
            _ => {
                plain.push_str(" [");
                after
            }
        };
    }
    plain + rest
}

/// A request that the server refused. Its words are meant for its clients.
fn of_answer(error: &ErrorData) -> ToolError {
    let kind = match error.code {
        ErrorCode::INVALID_PARAMS => ErrorKind::WrongArgument,
        ErrorCode::METHOD_NOT_FOUND => ErrorKind::NotFound,
        _ => ErrorKind::DependencyFailed,
    };
    ToolError::new(kind, &error.message).with_detail("rpc_code", i64::from(error.code.0))
}

impl fmt::Display for UpstreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match &self.reason {
            Reason::Settings(why) => f.write_str(why),
            Reason::Start(error) => write!(f, "{place} does not start: {error}"),
            Reason::Begin { why, .. } => write!(f, "{place} does not begin as MCP has it: {why}"),
            Reason::NoServer => write!(f, "{place} refused the connection: no server is there"),
            Reason::TooLong(time) => write!(f, "{place} did not answer within {time:?}"),
            Reason::Lost => write!(f, "the connection to {place} was lost"),
            Reason::Unreachable => write!(f, "there is no connection to {place}"),
            Reason::Refused(error) => write!(f, "{place} refused a request: {error}"),
            Reason::List(why) => write!(f, "what {place} lists cannot be used: {why}"),
            Reason::NoMemory => write!(
                f,
                "there is no memory for what {place} sends: other servers have taken all that is set aside; \
                 `limits.memory_bytes` allows more"
            ),
            Reason::Tools(violations) => {
                write!(
                    f,
                    "the list of tools of {place} cannot be read:\n{violations}"
                )
            }
            Reason::NoSuchTool(name) => write!(
                f,
                "there is a contract for `{name}`, but no such tool on {place}; it may have been \
                 left out"
            ),
        }
    }
}

impl Error for UpstreamError {}

#[cfg(test)]
mod tests {
    use super::without_types;

    #[test]
    fn types_are_left_out() {
        for (text, expected) in [
            (
                "Transport [rmcp::a::B<c::D>] error: gone",
                "Transport error: gone",
            ),
            ("a list [1, 2] and [a::B", "a list [1, 2] and [a::B"),
            ("plain", "plain"),
        ] {
            assert_eq!(without_types(text), expected);
        }
    }
}
