//! The files of an audit, and their names.

use std::fs;
use std::path::{Path, PathBuf};

use crate::AuditError;

/// A file of an audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFile {
    /// Its number; the first is 1.
    pub number: u64,
    /// The day it was begun on, as `2026-11-18`.
    pub day: String,
    /// Where it is.
    pub path: PathBuf,
}

impl AuditFile {
    pub(crate) fn new(directory: &Path, day: &str, number: u64) -> Self {
        let name = format!("audit-{day}-{number:06}.jsonl");
        Self {
            number,
            day: day.to_owned(),
            path: directory.join(name),
        }
    }

    /// The file of this name, if it is one of an audit.
    fn of_path(path: PathBuf) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let name = name.strip_prefix("audit-")?.strip_suffix(".jsonl")?;
        let (day, number) = name.rsplit_once('-')?;
        Some(Self {
            number: number.parse().ok()?,
            day: day.to_owned(),
            path,
        })
    }

    /// The files of a directory, the oldest first.
    pub fn list(directory: &Path) -> Result<Vec<Self>, AuditError> {
        let failed = AuditError::io("read the directory", directory);
        let mut files = Vec::new();
        for entry in fs::read_dir(directory).map_err(&failed)? {
            files.extend(Self::of_path(entry.map_err(&failed)?.path()));
        }
        files.sort_by_key(|file| file.number);
        Ok(files)
    }

    /// Its name, for messages.
    #[must_use]
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}
