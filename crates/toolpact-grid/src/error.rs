//! Why a host or a runtime cannot work. Why a call failed is a [`ToolError`](toolpact::ToolError).

use std::fmt;
use std::path::PathBuf;

/// Why a host or a runtime cannot work.
#[derive(Debug)]
pub struct Error(Reason);

#[derive(Debug)]
pub(crate) enum Reason {
    /// A name that cannot be part of a subject.
    Name(Box<str>),
    /// The system has no random numbers.
    Random(getrandom::Error),
    /// NATS said no: what was tried, and what it said.
    Nats(&'static str, Box<dyn std::error::Error + Send + Sync>),
    /// Two contracts of a manifest have one name.
    Twice(Box<str>),
    /// A key that is none.
    Key(&'static str),
    /// The tools of a registry cannot be told apart.
    Registry(Box<toolpact::Error>),
    /// A file cannot be read.
    File(PathBuf, std::io::Error),
    /// A file has no credentials.
    Credentials(PathBuf),
    /// What others have written is not what it should be.
    Stored(&'static str),
}

impl Error {
    pub(crate) fn new(reason: Reason) -> Self {
        Self(reason)
    }

    /// For `map_err`: what was tried with NATS.
    pub(crate) fn nats<E>(tried: &'static str) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        move |error| Self(Reason::Nats(tried, error.into()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::Name(name) => write!(
                f,
                "expected 1 to 64 letters, digits, `_` or `-` as a name on the grid, found {name:?}"
            ),
            Reason::Random(error) => write!(f, "the system has no random numbers: {error}"),
            Reason::Nats(tried, error) => write!(f, "NATS could not {tried}: {error}"),
            Reason::Twice(name) => write!(
                f,
                "expected one contract of each name in the manifest, found two of `{name}`"
            ),
            Reason::Key(what) => write!(f, "expected {what}, found something else"),
            Reason::Registry(error) => error.fmt(f),
            Reason::File(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Reason::Credentials(path) => write!(
                f,
                "expected credentials of NATS (a `.creds` file, or the seed of a user's NKey, `SU…`) in {}, found \
                 something else",
                path.display()
            ),
            Reason::Stored(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Reason::Nats(_, error) => Some(&**error),
            Reason::Random(error) => Some(error),
            Reason::Registry(error) => Some(&**error),
            Reason::File(_, error) => Some(error),
            Reason::Name(_)
            | Reason::Twice(_)
            | Reason::Key(_)
            | Reason::Credentials(_)
            | Reason::Stored(_) => None,
        }
    }
}
