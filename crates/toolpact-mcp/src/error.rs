use std::error::Error;
use std::{fmt, io};

/// Why a client could not be served.
#[derive(Debug)]
pub struct ServeError(Reason);

#[derive(Debug)]
enum Reason {
    Tools(toolpact::Error),
    Connection(io::Error),
}

impl From<toolpact::Error> for ServeError {
    fn from(error: toolpact::Error) -> Self {
        Self(Reason::Tools(error))
    }
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        Self(Reason::Connection(error))
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::Tools(error) => write!(f, "the tools cannot be served: {error}"),
            Reason::Connection(error) => write!(f, "the connection to the client failed: {error}"),
        }
    }
}

impl Error for ServeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(match &self.0 {
            Reason::Tools(error) => error,
            Reason::Connection(error) => error,
        })
    }
}
