//! Where an audit ends: without it, nobody could tell that the last lines are gone.

use std::fs::File;
use std::io;
use std::path::Path;

use toolpact::private_files;

use crate::{AuditError, Chain};

const NAME: &str = "head";

/// The last line that was written, or one before it: lines are written first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) seq: u64,
    pub(crate) chain: Chain,
}

/// What the file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// There is no such file.
    Nothing,
    /// It cannot be read.
    Unreadable,
    Head(Head),
}

impl Head {
    pub(crate) fn read(directory: &Path) -> Result<Found, AuditError> {
        let path = directory.join(NAME);
        match std::fs::read(&path) {
            Ok(text) => Ok(Self::parse(&text).map_or(Found::Unreadable, Found::Head)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
            Err(error) => Err(AuditError::io("read", &path)(error)),
        }
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?.strip_suffix('\n')?;
        let (seq, chain) = text.split_once(' ')?;
        let is_padded = seq.len() == 20 && seq.bytes().all(|b| b.is_ascii_digit());
        Some(Self {
            seq: seq.parse().ok().filter(|_| is_padded)?,
            chain: Chain::from_hex(chain.as_bytes())?,
        })
    }

    pub(crate) fn create(directory: &Path) -> Result<File, AuditError> {
        let path = directory.join(NAME);
        let mut options = private_files::options();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(AuditError::io("write", &path))?;
        Ok(file)
    }

    /// Always the same length, so that each text replaces the one before.
    pub(crate) fn write(self, file: &File) -> io::Result<()> {
        let text = format!("{:020} {}\n", self.seq, self.chain);
        write_at_start(file, text.as_bytes())
    }
}

#[cfg(unix)]
fn write_at_start(file: &File, text: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, text, 0)
}

#[cfg(not(unix))]
fn write_at_start(mut file: &File, text: &[u8]) -> io::Result<()> {
    use std::io::{Seek as _, Write as _};
    file.rewind()?;
    file.write_all(text)
}
