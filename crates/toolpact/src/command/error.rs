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
        said: Option<Box<Value>>,
    },
    /// It was killed by a signal.
    Signal { signal: Option<i32> },
    /// It wrote more on stdout than it may.
    TooMuchOutput { limit: usize },
    /// Its pipes failed.
    Io(io::Error),
}

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
}

impl From<CommandError> for StandardError {
    fn from(error: CommandError) -> Self {
        if let Some(failure) = error.failure() {
            return failure;
        }
        match error {
            CommandError::CannotStart { source, .. } if is_for_now(&source) => {
                StandardError::new(ErrorKind::TooManyAtOnce, "")
            }
            CommandError::NotFound { .. } | CommandError::CannotStart { .. } => {
                StandardError::new(ErrorKind::Configuration, "")
            }
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
