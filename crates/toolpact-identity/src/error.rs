use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// What is wrong with what identity is made of.
#[derive(Debug)]
pub struct IdentityError {
    file: Option<PathBuf>,
    why: String,
}

impl IdentityError {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        let why = why.into();
        Self { file: None, why }
    }

    pub(crate) fn in_file(file: &Path, why: impl fmt::Display) -> Self {
        Self {
            file: Some(file.to_owned()),
            why: why.to_string(),
        }
    }
}

impl fmt::Display for IdentityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}: {}", file.display(), self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl Error for IdentityError {}
