//! What a server finds that starts after another was killed.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use toolpact::private_files;

use crate::chain::{digest_of, open};
use crate::{AuditError, AuditFile, Chain, Event};

/// The end of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tail {
    /// How many bytes are whole lines. What follows is torn.
    pub(crate) whole: u64,
    /// The last whole line, if there is one.
    pub(crate) last: Option<(u64, Chain)>,
    bytes: u64,
}

impl Tail {
    pub(crate) fn read(path: &Path) -> Result<Self, AuditError> {
        Self::of(path).map_err(AuditError::io("read", path))
    }

    fn of(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::new(File::open(path)?);
        let (mut line, mut bytes, mut whole, mut last) = (Vec::new(), 0, 0, None);
        loop {
            line.clear();
            let read = file.read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(Self { whole, last, bytes });
            }
            bytes += u64::try_from(read).unwrap_or(u64::MAX);
            if let Some(sealed) = line.strip_suffix(b"\n").and_then(open) {
                whole = bytes;
                last = Some((sealed.seq, sealed.chain));
            }
        }
    }

    /// Moves what is torn to a file of its own. Whatever stops this in the middle, it is the same the next time:
    /// a file of this name that is there and does not come before any line is not recorded yet.
    pub(crate) fn set_aside(self, file: &AuditFile) -> Result<Option<Event>, AuditError> {
        let name = format!("{}.torn-{}", file.name(), self.whole);
        let aside = file.path.with_file_name(&name);
        let moved = || {
            if self.bytes > self.whole {
                move_end(&file.path, self.whole, &aside)?;
            }
            match fs::read(&aside) {
                Ok(torn) => Ok(Some(torn)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        };
        let torn = moved().map_err(AuditError::io("move the torn line to", &aside))?;
        Ok(torn.map(|torn| Event::Torn {
            bytes: u64::try_from(torn.len()).unwrap_or(u64::MAX),
            digest: digest_of(&torn),
            kept: name,
        }))
    }
}

fn move_end(path: &Path, whole: u64, aside: &Path) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().read(true).write(true).open(path)?;
    file.seek(SeekFrom::Start(whole))?;
    let mut options = private_files::options();
    let mut out = options
        .write(true)
        .create(true)
        .truncate(true)
        .open(aside)?;
    io::copy(&mut file.by_ref(), &mut out)?;
    out.sync_all()?;
    file.set_len(whole)?;
    file.sync_all()
}
