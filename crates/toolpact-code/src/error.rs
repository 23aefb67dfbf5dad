use std::error::Error as StdError;
use std::fmt;

use toolpact::code::wire::Failure;

/// Why the worker could not do its part. The host gets it as a [`Failure`].
#[derive(Debug)]
pub(crate) struct Error {
    kind: ErrorKind,
    source: Box<dyn StdError + Send + Sync>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// A value cannot cross between JSON and Python.
    Value,
    /// A run cannot be saved, or what was saved cannot be read.
    Snapshot,
    /// The type checker did not run.
    TypeChecker,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let source = source.into();
        Self { kind, source }
    }

    pub(crate) fn value(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::new(ErrorKind::Value, source)
    }

    pub(crate) fn snapshot(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::new(ErrorKind::Snapshot, source)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error.kind {
            ErrorKind::Value => Failure::Value(message),
            ErrorKind::Snapshot => Failure::State(message),
            ErrorKind::TypeChecker => Failure::Declarations(message),
        }
    }
}

/// The text of the cause, which is all there is to say.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.source)
    }
}
