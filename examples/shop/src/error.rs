use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why a shop could not be opened: what is wrong, where, and what to do about it.
#[derive(Debug)]
pub struct ShopError {
    kind: ShopErrorKind,
    path: PathBuf,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// What can be wrong with the directory of a shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShopErrorKind {
    /// It cannot be made or written to.
    NotWritable,
    /// Another process has it open.
    InUse,
    /// There is a file in the place of the database that is not a shop's.
    NotOurs,
    /// The database is of a later version of this program.
    TooNew,
    /// The database is damaged.
    Corrupt,
    /// The database failed for another reason.
    Failed,
}

impl ShopError {
    pub(crate) fn new(kind: ShopErrorKind, path: &Path) -> Self {
        Self {
            kind,
            path: path.to_owned(),
            source: None,
        }
    }

    pub(crate) fn because(
        kind: ShopErrorKind,
        path: &Path,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self {
            source: Some(source.into()),
            ..Self::new(kind, path)
        }
    }

    /// What SQLite says about a file, in the terms of a shop.
    pub(crate) fn of_database(path: &Path, error: rusqlite::Error) -> Self {
        let kind = match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => ShopErrorKind::NotOurs,
            Some(ErrorCode::DatabaseCorrupt) => ShopErrorKind::Corrupt,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ShopErrorKind::InUse,
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                ShopErrorKind::NotWritable
            }
            _ => ShopErrorKind::Failed,
        };
        Self::because(kind, path, error)
    }

    /// What is wrong.
    pub fn kind(&self) -> ShopErrorKind {
        self.kind
    }

    /// Where it is wrong.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for ShopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.kind {
            ShopErrorKind::NotWritable => {
                write!(f, "{path}: expected a directory that can be written to. ")?;
                f.write_str("Choose another one, or change its permissions")
            }
            ShopErrorKind::InUse => {
                write!(f, "{path}: another process has this shop open. ")?;
                f.write_str("Stop it, or choose another directory")
            }
            ShopErrorKind::NotOurs => {
                write!(
                    f,
                    "{path}: expected the database of a shop, found another file. "
                )?;
                f.write_str("It was not touched. Choose another directory, or move it away")
            }
            ShopErrorKind::TooNew => {
                write!(f, "{path}: this shop was made by a later version. ")?;
                f.write_str("Use that version, or choose another directory")
            }
            ShopErrorKind::Corrupt => {
                write!(f, "{path}: the database is damaged. ")?;
                f.write_str("Put a file from `backups` in its place, or move it away to begin anew")
            }
            ShopErrorKind::Failed => write!(f, "{path}: the database could not be opened"),
        }?;
        match &self.source {
            Some(source) => write!(f, " ({source})"),
            None => Ok(()),
        }
    }
}

impl Error for ShopError {}
