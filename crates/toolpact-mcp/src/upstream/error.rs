use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use toolpact::ToolError;
use toolpact::core::Violations;
use toolpact::core::returns::ErrorKind;

use super::place::Place;
use crate::outgoing::is_refused;

const UNREACHABLE: &str = "The server behind this tool cannot be reached.";

/// Why another server cannot be used. This is for operators; models learn less.
#[derive(Debug, Clone)]
pub struct UpstreamError {
    place: String,
    reason: Reason,
}

#[derive(Debug, Clone)]
enum Reason {
    Settings(String),
    Start(Arc<std::io::Error>),
    Begin(String),
    NoServer,
    TooLong(Duration),
    Lost,
    Unreachable,
    Refused(ErrorData),
    List(String),
    Tools(Violations),
    NoSuchTool(Box<str>),
}

impl UpstreamError {
    pub(super) fn settings(why: &str) -> Self {
        Self::at("", Reason::Settings(why.to_owned()))
    }

    pub(super) fn start(place: &impl ToString, error: std::io::Error) -> Self {
        Self::at(place, Reason::Start(Arc::new(error)))
    }

    pub(super) fn begin(place: &Place, error: &dyn Error) -> Self {
        let causes = std::iter::successors(Some(error), |error| (*error).source());
        let mut told: Vec<String> = Vec::new();
        for cause in causes.map(|cause| without_types(place.hide(&cause.to_string()).trim())) {
            // Some tell their cause themselves.
            if !told.last().is_some_and(|last| last.contains(&cause)) {
                told.push(cause);
            }
        }
        Self::at(place, Reason::Begin(told.join(": ")))
    }

    /// Why a connection does not begin, as the library tells it.
    pub(super) fn initialize(place: &Place, error: &ClientInitializeError) -> Self {
        // It was asked for the newest version first, and what came of that says less.
        let error = match error {
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => &**fallback,
            error => error,
        };
        match http_error(error) {
            Some(StreamableHttpError::Client(error)) if is_refused(error) => {
                Self::at(place, Reason::NoServer)
            }
            Some(error) => Self::begin(place, error).with_advice(place.advice()),
            None => Self::begin(place, error),
        }
    }

    /// What to do about it, where that can be told.
    fn with_advice(mut self, advice: Option<&str>) -> Self {
        if let (Reason::Begin(why), Some(advice)) = (&mut self.reason, advice) {
            why.push_str("; ");
            why.push_str(advice);
        }
        self
    }

    pub(super) fn lost(place: &impl ToString) -> Self {
        Self::at(place, Reason::Lost)
    }

    pub(super) fn too_long(place: &impl ToString, time: Duration) -> Self {
        Self::at(place, Reason::TooLong(time))
    }

    pub(super) fn of_service(place: &impl ToString, error: ServiceError) -> Self {
        Self::at(
            place,
            match error {
                ServiceError::McpError(error) => Reason::Refused(error),
                ServiceError::TransportSend(error) if is_unsent(&error) => Reason::Unreachable,
                _ => Reason::Lost,
            },
        )
    }

    pub(super) fn list(place: &impl ToString, why: &str) -> Self {
        Self::at(place, Reason::List(why.to_owned()))
    }

    pub(super) fn tools(place: &impl ToString, violations: Violations) -> Self {
        Self::at(place, Reason::Tools(violations))
    }

    pub(super) fn no_such_tool(place: &impl ToString, name: &str) -> Self {
        Self::at(place, Reason::NoSuchTool(name.into()))
    }

    fn at(place: &(impl ToString + ?Sized), reason: Reason) -> Self {
        let place = place.to_string();
        Self { place, reason }
    }

    /// What a call comes to for this reason.
    pub(super) fn into_tool_error(self) -> ToolError {
        match &self.reason {
            Reason::Refused(error) => of_answer(error),
            Reason::TooLong(_) => ToolError::new(
                ErrorKind::DependencyTimedOut,
                "The server behind this tool did not answer in time.",
            ),
            // Nothing was asked of it.
            Reason::Start(_) | Reason::Begin(_) | Reason::NoServer | Reason::Unreachable => {
                ToolError::unavailable(UNREACHABLE).with_detail("request_sent", false)
            }
            _ => ToolError::unavailable(UNREACHABLE),
        }
        .with_source(self)
    }
}

/// What HTTP came to.
fn http_error(error: &ClientInitializeError) -> Option<&StreamableHttpError<reqwest::Error>> {
    match error {
        ClientInitializeError::TransportError { error, .. } => error.error.downcast_ref(),
        _ => None,
    }
}

/// Whether a request came to nothing before there was a connection.
fn is_unsent(error: &DynamicTransportError) -> bool {
    match error
        .error
        .downcast_ref::<StreamableHttpError<reqwest::Error>>()
    {
        Some(StreamableHttpError::Client(error)) => error.is_connect(),
        _ => false,
    }
}

/// The library names the types of its transports in brackets, which help nobody.
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
            Reason::Begin(error) => write!(f, "{place} does not begin as MCP has it: {error}"),
            Reason::NoServer => write!(f, "{place} refused the connection: no server is there"),
            Reason::TooLong(time) => write!(f, "{place} did not answer within {time:?}"),
            Reason::Lost => write!(f, "the connection to {place} was lost"),
            Reason::Unreachable => write!(f, "there is no connection to {place}"),
            Reason::Refused(error) => write!(f, "{place} refused a request: {error}"),
            Reason::List(why) => write!(f, "the list of tools of {place} cannot be used: {why}"),
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
