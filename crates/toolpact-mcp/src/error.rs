use std::error::Error;
use std::fmt;

use rmcp::service::ServerInitializeError;

/// Why a client could not be served.
#[derive(Debug)]
pub struct ServeError(Reason);

#[derive(Debug)]
enum Reason {
    Tools(toolpact::Error),
    Start(Box<ServerInitializeError>),
    Task(tokio::task::JoinError),
}

impl ServeError {
    /// A client that leaves before it has begun is no error.
    pub(crate) fn of_start(error: ServerInitializeError) -> Result<(), Self> {
        match error {
            ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled => Ok(()),
            error => Err(Self(Reason::Start(Box::new(error)))),
        }
    }

    pub(crate) fn of_task(error: tokio::task::JoinError) -> Self {
        Self(Reason::Task(error))
    }
}

impl From<toolpact::Error> for ServeError {
    fn from(error: toolpact::Error) -> Self {
        Self(Reason::Tools(error))
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::Tools(error) => write!(f, "the tools cannot be served: {error}"),
            Reason::Start(error) => write!(f, "the client did not begin as MCP has it: {error}"),
            Reason::Task(_) => f.write_str("the client was not served to the end"),
        }
    }
}

impl Error for ServeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(match &self.0 {
            Reason::Tools(error) => error,
            Reason::Start(error) => error,
            Reason::Task(error) => error,
        })
    }
}
