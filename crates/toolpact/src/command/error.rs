use std::process::ExitStatus;
use std::{fmt, io};

use toolpact_core::json::Value;
use toolpact_core::returns::{ErrorKind, StandardError};

/// Why a program gave no result. Its `Display` is for operators; models get the
/// [`StandardError`] made of it, which says nothing about programs.
#[derive(Debug)]
pub(crate) enum CommandError {
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
        failure: Option<Box<StandardError>>,
    },
    /// It was killed by a signal.
    Signal { signal: Option<i32> },
    /// It wrote more on stdout than it may.
    TooMuchOutput { limit: usize },
    /// Its pipes failed.
    Io(io::Error),
}

/// A run that gave no result, with the end of what it wrote to stderr.
#[derive(Debug)]
pub(crate) struct FailedRun {
    pub(crate) error: CommandError,
    pub(crate) stderr: String,
}

/// Why a program gave no result: the [source](crate::ToolError::source) of the error of its tool, for
/// whoever debugs the program.
#[derive(Debug)]
pub struct ProgramFailure {
    cause: String,
    stderr: String,
}

impl ProgramFailure {
    pub(crate) fn of(failed: &FailedRun) -> Self {
        Self {
            cause: failed.error.to_string(),
            stderr: failed.stderr.clone(),
        }
    }

    /// The last lines that the program wrote to stderr.
    #[must_use]
    pub fn stderr(&self) -> &str {
        &self.stderr
    }
}

impl fmt::Display for ProgramFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl std::error::Error for ProgramFailure {}

impl CommandError {
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
        let said = Value::from_json(stdout).ok();
        let failure = said.and_then(|said| StandardError::of_failure(said.root()));
        let failure = failure.map(Box::new);
        Self::Exit { status, failure }
    }
}

impl From<CommandError> for StandardError {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::CannotStart { source, .. } if is_for_now(&source) => {
                StandardError::new(ErrorKind::TooManyAtOnce, "")
            }
            CommandError::NotFound { .. } | CommandError::CannotStart { .. } => {
                StandardError::new(ErrorKind::Configuration, "")
            }
            CommandError::Exit {
                failure: Some(failure),
                ..
            } => *failure,
            CommandError::TooMuchOutput { .. } => {
                StandardError::new(ErrorKind::Internal, "The tool returned too much.")
            }
            CommandError::Exit { .. } | CommandError::Signal { .. } | CommandError::Io(_) => {
                StandardError::new(ErrorKind::Internal, "")
            }
        }
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { program } => write!(f, "there is no program `{program}`"),
            Self::CannotStart { program, source } => {
                write!(f, "the program `{program}` does not start: {source}")
            }
            Self::Exit { status, failure } => {
                write!(f, "the program ended with status {status}")?;
                { failure.iter() }.try_for_each(|failure| write!(f, ": {failure}"))
            }
            Self::Signal { signal: Some(n) } => write!(f, "the program was ended by signal {n}"),
            Self::Signal { signal: None } => f.write_str("the program was ended from outside"),
            Self::TooMuchOutput { limit } => {
                write!(f, "the program wrote more than {limit} bytes on stdout")
            }
            Self::Io(error) => write!(f, "the program could not be talked to: {error}"),
        }
    }
}

impl std::error::Error for CommandError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::CannotStart { source, .. } | Self::Io(source) => Some(source),
            _ => None,
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
