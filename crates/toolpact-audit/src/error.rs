use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why an audit cannot be written or read.
#[derive(Debug)]
pub struct AuditError {
    path: PathBuf,
    what: What,
}

#[derive(Debug)]
enum What {
    /// Another process writes to it.
    InUse,
    /// There is no file of an audit.
    Nothing,
    /// It is an audit, and no record.
    NoContracts,
    Io(&'static str, io::Error),
}

impl AuditError {
    pub(crate) fn in_use(path: &Path) -> Self {
        Self::new(path, What::InUse)
    }

    pub(crate) fn nothing(path: &Path) -> Self {
        Self::new(path, What::Nothing)
    }

    pub(crate) fn no_contracts(path: &Path) -> Self {
        Self::new(path, What::NoContracts)
    }

    /// For `map_err`: what could not be done with a path.
    pub(crate) fn io<'p>(what: &'static str, path: &'p Path) -> impl Fn(io::Error) -> Self + 'p {
        move |error| Self::new(path, What::Io(what, error))
    }

    fn new(path: &Path, what: What) -> Self {
        let path = path.to_owned();
        Self { path, what }
    }
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.what {
            What::InUse => write!(
                f,
                "another server writes its audit to {path}, or records its calls there; give each a directory of its own"
            ),
            What::Nothing => write!(f, "there is no audit and no record in {path}"),
            What::NoContracts => write!(
                f,
                "the calls in {path} are there without the contracts of their tools, as in an audit; record them with \
                 `toolpact serve --record`"
            ),
            What::Io(what, error) => write!(f, "cannot {what} {path}: {error}"),
        }
    }
}

impl Error for AuditError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.what {
            What::Io(_, error) => Some(error),
            _ => None,
        }
    }
}
