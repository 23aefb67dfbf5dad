use std::process::ExitStatus;
use std::{fmt, io};

use toolpact_core::json::Value;
use toolpact_core::returns::{ErrorKind, StandardError};

use crate::ToolError;

/// Why a program gave no result. Its `Display` is for operators; models get what
/// [`to_standard`](CommandFault::to_standard) makes of it, which says nothing about programs.
#[derive(Debug)]
pub(crate) enum CommandFault {
    /// There is no such program.
    NotFound { program: Box<str> },
    /// It is there, but it does not start.
    CannotStart {
        program: Box<str>,
        source: io::Error,
    },
    /// It ended with a status other than 0, and may have said why in JSON.
    Exit {
        status: i32,
        said: Option<Box<Value>>,
    },
    /// It was killed by a signal.
    Signal { signal: Option<i32> },
    /// It wrote more on stdout than it may.
    TooMuchOutput { limit: usize },
    /// The output of all programs together takes all the memory for it.
    NoMemory,
    /// What it wrote on stdout is not UTF-8.
    NotText { at: usize },
    /// Its pipes failed.
    Io(io::Error),
}

/// A run that gave no result, with the end of what it wrote to stderr.
#[derive(Debug)]
pub(crate) struct FailedRun {
    pub(crate) fault: CommandFault,
    pub(crate) stderr: String,
}

impl CommandFault {
    pub(super) fn cannot_start(program: &str, source: io::Error) -> Self {
        let program = program.into();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { program },
            _ => Self::CannotStart { program, source },
        }
    }

    /// The error of a program that did not end well.
    pub(super) fn of_status(status: ExitStatus, stdout: &[u8]) -> Self {
        let Some(status) = status.code() else {
            let signal = signal_of(status);
            return Self::Signal { signal };
        };
        let said = Value::from_json(stdout).ok().map(Box::new);
        Self::Exit { status, said }
    }

    /// What it wrote before it ended with a status other than 0, if that is JSON.
    pub(crate) fn said(&self) -> Option<&Value> {
        match self {
            Self::Exit { said, .. } => said.as_deref(),
            _ => None,
        }
    }

    fn failure(&self) -> Option<StandardError> {
        StandardError::of_failure(self.said()?.root())
    }

    /// What a model may read of it.
    pub(crate) fn to_standard(&self) -> StandardError {
        if let Some(failure) = self.failure() {
            return failure;
        }
        match self {
            Self::CannotStart { source, .. } if is_for_now(source) => {
                StandardError::new(ErrorKind::TooManyAtOnce, "")
            }
            Self::NotFound { .. } | Self::CannotStart { .. } => {
                StandardError::new(ErrorKind::Configuration, "")
            }
            Self::TooMuchOutput { .. } => {
                StandardError::new(ErrorKind::Internal, "The tool returned too much.")
            }
            Self::NoMemory => ToolError::no_memory().to_standard(),
            Self::NotText { .. } => StandardError::new(
                ErrorKind::Internal,
                "The tool returned bytes that are not text.",
            ),
            Self::Exit { .. } | Self::Signal { .. } | Self::Io(_) => {
                StandardError::new(ErrorKind::Internal, "")
            }
        }
    }

    /// Its stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "program-not-found",
            Self::CannotStart { .. } => "program-cannot-start",
            Self::Exit { .. } => "program-exit",
            Self::Signal { .. } => "program-signal",
            Self::TooMuchOutput { .. } => "program-output-too-long",
            Self::NoMemory => "program-output-memory",
            Self::NotText { .. } => "program-output-encoding",
            Self::Io(_) => "program-io",
        }
    }

    pub(crate) fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::CannotStart { source, .. } | Self::Io(source) => Some(source),
            _ => None,
        }
    }
}

impl From<io::Error> for CommandFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for CommandFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { program } => write!(f, "there is no program `{program}`"),
            Self::CannotStart { program, source } => {
                write!(f, "the program `{program}` does not start: {source}")
            }
            Self::Exit { status, .. } => {
                write!(f, "the program ended with status {status}")?;
                match self.failure() {
                    Some(failure) => write!(f, ": {failure}"),
                    None => Ok(()),
                }
            }
            Self::Signal { signal: Some(n) } => write!(f, "the program was ended by signal {n}"),
            Self::Signal { signal: None } => f.write_str("the program was ended from outside"),
            Self::TooMuchOutput { limit } => {
                write!(f, "the program wrote more than {limit} bytes on stdout")
            }
            Self::NoMemory => f.write_str(
                "the output of the programs that run takes all the memory that is set aside for it",
            ),
            Self::NotText { at } => write!(
                f,
                "the program wrote bytes on stdout that are not UTF-8, first at byte {at}; have it write UTF-8, \
                 and other data as Base64"
            ),
            Self::Io(error) => write!(f, "the program could not be talked to: {error}"),
        }
    }
}

/// Whether the machine is out of resources, which is not the fault of the tool.
#[cfg(unix)]
fn is_for_now(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let errno = Errno::from_io_error(error);
    matches!(
        errno,
        Some(Errno::MFILE | Errno::NFILE | Errno::AGAIN | Errno::NOMEM)
    )
}

#[cfg(not(unix))]
fn is_for_now(_: &io::Error) -> bool {
    false
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}
