//! Copies of the database, made by SQLite itself while others write.

use std::fmt;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::backup::{Backup as Copying, StepResult};
use schemars::json_schema;
use toolpact::returns::ChunkedData;
use toolpact::{ToolError, private_files};

use crate::database::Database;
use crate::values::{Unreadable, as_text};

/// How many bytes a chunk has; the last one may have fewer.
const CHUNK: u64 = 64 << 10;

/// How many copies are kept.
const KEPT: usize = 5;

/// How the file of a copy ends while it is made.
const HALF: &str = ".db.part";

/// The name of a copy: `backup-20260215T103000Z-1`. Nothing else is a name, so none leads out of the
/// directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BackupName {
    second: Box<str>,
    number: u32,
}

as_text!(
    BackupName,
    json_schema!({"type": "string", "pattern": "^backup-[0-9]{8}T[0-9]{6}Z-[0-9]{1,6}$"})
);

/// A copy that can be read, even while it is removed.
pub(crate) struct Backup {
    name: BackupName,
    file: Mutex<File>,
    size: u64,
}

impl Backup {
    /// Makes a copy. What is committed when this begins is in it.
    pub(crate) fn make(database: &Database) -> Result<Self, ToolError> {
        let copying = database.copying.lock();
        let _copying = copying.unwrap_or_else(PoisonError::into_inner);
        let dir = dir(database);
        private_files::create_folder(&dir)?;
        remove_halves(&dir)?;
        let second = Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
        let name = BackupName::next(&second, &all(&dir)?)?;
        // Half a copy is none: it gets its name when it is whole and on the disk.
        let half = dir.join(format!("{name}{HALF}"));
        let copied = copy(database, &half);
        let named = copied.and_then(|()| Ok(fs::rename(&half, name.within(&dir))?));
        if let Err(error) = named {
            let _ = remove_halves(&dir);
            return Err(error);
        }
        sync_folder(&dir)?;
        sync_folder(database.dir())?;
        let backup = Self::open(database, &name)?;
        remove_old(&dir, &name)?;
        Ok(backup)
    }

    /// A copy that was made before.
    pub(crate) fn open(database: &Database, name: &BackupName) -> Result<Self, ToolError> {
        let dir = dir(database);
        let Ok(file) = File::open(name.within(&dir)) else {
            return Err(missing(&dir, name));
        };
        let size = file.metadata()?.len();
        Ok(Self {
            name: name.clone(),
            file: Mutex::new(file),
            size,
        })
    }

    pub(crate) fn name(&self) -> &BackupName {
        &self.name
    }

    /// A piece of it; the first is number 0.
    pub(crate) fn chunk(&self, number: u64) -> Result<ChunkedData, ToolError> {
        let chunks = self.size.div_ceil(CHUNK).max(1);
        if number >= chunks {
            return Err(ToolError::not_found(format!(
                "{} has {chunks} chunks. The first is 0, the last is {}; there is no {number}.",
                self.name,
                chunks - 1
            )));
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(number * CHUNK))?;
        let mut content = Vec::new();
        (&*file).take(CHUNK).read_to_end(&mut content)?;
        let name = self.name.to_string();
        Ok(ChunkedData::new(&name, number, chunks, content)?)
    }
}

fn dir(database: &Database) -> PathBuf {
    database.dir().join("backups")
}

fn copy(database: &Database, path: &Path) -> Result<(), ToolError> {
    // SQLite would let others read it.
    private_files::options()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path)?;
    let mut to = Connection::open(path)?;
    database.read(|from| {
        let copying = Copying::new(from, &mut to)?;
        // All pages in one step are all from the same moment.
        match copying.step(-1)? {
            StepResult::Done => Ok(()),
            _ => Err(ToolError::unavailable(
                "The database is busy. Try again in a moment.",
            )),
        }
    })?;
    // One file that needs no log beside it.
    to.pragma_update(None, "journal_mode", "DELETE")?;
    to.close().map_err(|(_, error)| error)?;
    File::open(path)?.sync_all()?;
    Ok(())
}

/// Puts the names of files on the disk.
fn sync_folder(dir: &Path) -> Result<(), ToolError> {
    // Elsewhere, folders cannot be opened.
    if cfg!(unix) {
        File::open(dir)?.sync_all()?;
    }
    Ok(())
}

/// Removes what a process that was killed left of a copy, with the journal of SQLite beside it.
fn remove_halves(dir: &Path) -> Result<(), ToolError> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().and_then(|name| name.split_once(HALF));
        if name.is_some_and(|(name, _)| name.parse::<BackupName>().is_ok()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// All copies, the oldest first.
fn all(dir: &Path) -> Result<Vec<BackupName>, ToolError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir)? {
        let name = entry?.file_name();
        let name = name.to_str().and_then(|name| name.strip_suffix(".db"));
        names.extend(name.and_then(|name| name.parse().ok()));
    }
    names.sort_unstable();
    Ok(names)
}

/// Keeps the newest, among them the one that was just made. Those that are dated later were made before the clock
/// was set back, so they go first.
fn remove_old(dir: &Path, made: &BackupName) -> Result<(), ToolError> {
    let mut all = all(dir)?;
    all.sort_by_key(|name| name <= made);
    for old in all.iter().take(all.len().saturating_sub(KEPT)) {
        // Another call may have been quicker.
        let _ = fs::remove_file(old.within(dir));
    }
    Ok(())
}

fn missing(dir: &Path, name: &BackupName) -> ToolError {
    let newest = all(dir).ok().and_then(|mut all| all.pop());
    match newest {
        Some(newest) => ToolError::not_found(format!(
            "There is no backup {name}. The newest is {newest}."
        ))
        .with_detail("nearest", newest.to_string()),
        None => ToolError::not_found(format!(
            "There is no backup {name}. `backup_database` makes one."
        )),
    }
}

impl BackupName {
    /// The name of a new copy. It comes after all others of its second, also those that are gone.
    fn next(second: &str, all: &[Self]) -> Result<Self, ToolError> {
        let others = all.iter().filter(|other| &*other.second == second);
        let number = others.map(|other| other.number).max().unwrap_or(0) + 1;
        match number {
            ..1_000_000 => Ok(Self {
                second: second.into(),
                number,
            }),
            _ => Err(ToolError::conflict(
                "There are too many backups of this second. Try again in the next.",
            )),
        }
    }

    fn within(&self, dir: &Path) -> PathBuf {
        dir.join(format!("{self}.db"))
    }
}

impl fmt::Display for BackupName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "backup-{}-{}", self.second, self.number)
    }
}

impl FromStr for BackupName {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        const WRONG: Unreadable =
            Unreadable::expected("a name such as `backup-20260215T103000Z-1`");
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let rest = text.strip_prefix("backup-").ok_or(WRONG)?;
        let (second, number) = rest.split_once('-').ok_or(WRONG)?;
        let (day, time) = second.split_once('T').ok_or(WRONG)?;
        let time = time.strip_suffix('Z').ok_or(WRONG)?;
        let plain = day.len() == 8 && time.len() == 6 && number.len() <= 6;
        match plain && [day, time, number].into_iter().all(digits) {
            true => Ok(Self {
                second: second.into(),
                number: number.parse().map_err(|_| WRONG)?,
            }),
            false => Err(WRONG),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BackupName;

    #[test]
    fn a_name_is_no_path() {
        let name: BackupName = "backup-20260215T103000Z-1".parse().unwrap();
        assert_eq!(name.to_string(), "backup-20260215T103000Z-1");
        for wrong in [
            "",
            "backup-",
            "../shop",
            "backup-20260215T103000Z-",
            "backup-20260215T103000Z-1/../../shop",
            "backup-2026021/T103000Z-1",
            "backup-20260215T103000Z-1\0",
            "backup-20260215T103000Z-+1",
        ] {
            assert!(wrong.parse::<BackupName>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_new_name_is_after_all_others() {
        let all = ["20260215T103000Z-6", "20260215T103000Z-10"];
        let all = all.map(|name| format!("backup-{name}").parse().unwrap());
        for (second, expected) in [("20260215T103000Z", 11), ("20260215T103001Z", 1)] {
            let name = BackupName::next(second, &all).unwrap();
            assert_eq!(name.to_string(), format!("backup-{second}-{expected}"));
        }
        let last: BackupName = "backup-20260215T103000Z-999999".parse().unwrap();
        assert!(BackupName::next("20260215T103000Z", &[last]).is_err());
    }
}
