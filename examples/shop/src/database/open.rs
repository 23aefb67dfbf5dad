//! Opening the database: made if it is not there, refused if it is not ours.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction};
use tokio::sync::watch;
use toolpact::private_files;

use super::{Database, readers::Readers};
use crate::{ShopError, ShopErrorKind};

/// The file that has everything.
pub(crate) const NAME: &str = "shop.db";

/// How long to wait for another program that looks into the file.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Says in the header of the file whose it is: "tpsh".
const APPLICATION: i32 = 0x7470_7368;

/// The version of the tables. A change of theirs is a new number and a step in [`migrate`].
const VERSION: i32 = 1;

impl Database {
    /// Opens the database in a directory. If there is none, it is made and given to `fill`.
    pub(crate) fn open(
        dir: &Path,
        fill: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<Self, ShopError> {
        let lock = lock(dir)?;
        let path = dir.join(NAME);
        let failed = |error| ShopError::of_database(&path, error);
        let found = look(&path).map_err(failed)?;
        match found {
            Found::Foreign => return Err(ShopError::new(ShopErrorKind::NotOurs, &path)),
            Found::Ours(version) if version > VERSION => {
                return Err(ShopError::new(ShopErrorKind::TooNew, &path));
            }
            Found::Ours(_) | Found::Nothing => {}
        }
        if matches!(found, Found::Nothing) {
            // SQLite would let others read it. The files that it puts beside it are like it.
            let mut options = private_files::options();
            let made = options.write(true).create(true).truncate(false).open(&path);
            made.map_err(|error| ShopError::because(ShopErrorKind::NotWritable, dir, error))?;
        }
        let mut writer = Connection::open(&path).map_err(failed)?;
        if matches!(found, Found::Ours(_)) {
            examine(&writer, &path)?;
        }
        set_up(&writer).map_err(failed)?;
        migrate(&mut writer, &found, fill).map_err(failed)?;
        Ok(Self {
            dir: dir.to_owned(),
            writer: Mutex::new(writer),
            readers: Readers::open(&path).map_err(failed)?,
            copying: Mutex::default(),
            written: watch::Sender::new(0),
            _lock: lock,
        })
    }
}

/// SQLite would let two processes in, but jobs and their states belong to one. The system lets the
/// lock go when a process ends, however it ends.
fn lock(dir: &Path) -> Result<File, ShopError> {
    let not_writable = |error| ShopError::because(ShopErrorKind::NotWritable, dir, error);
    private_files::create_folder(dir).map_err(not_writable)?;
    let path: PathBuf = dir.join("shop.lock");
    let mut options = private_files::options();
    options.write(true).create(true).truncate(false);
    let file = options.open(path).map_err(not_writable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ShopError::new(ShopErrorKind::InUse, dir)),
        Err(TryLockError::Error(error)) => Err(not_writable(error)),
    }
}

/// What is in the place of the database.
enum Found {
    /// Nothing yet, or the beginning of one whose making was interrupted.
    Nothing,
    Ours(i32),
    Foreign,
}

/// Changes nothing: it may be somebody else's.
fn look(path: &Path) -> rusqlite::Result<Found> {
    match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => return Ok(Found::Foreign),
        Ok(_) => {}
        Err(_) => return Ok(Found::Nothing),
    }
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let number = |pragma| connection.query_row(pragma, (), |row| row.get::<_, i32>(0));
    let tables = number("SELECT count(*) FROM sqlite_master")?;
    Ok(match (number("PRAGMA application_id")?, tables) {
        (APPLICATION, 1..) => Found::Ours(number("PRAGMA user_version")?),
        (0, 0) => Found::Nothing,
        _ => Found::Foreign,
    })
}

/// Better to hear of a damaged file now than in the middle of an order.
fn examine(connection: &Connection, path: &Path) -> Result<(), ShopError> {
    let verdict = connection.query_row("PRAGMA quick_check(1)", (), |row| row.get::<_, String>(0));
    match verdict {
        Ok(verdict) if verdict == "ok" => Ok(()),
        Ok(verdict) => Err(ShopError::because(ShopErrorKind::Corrupt, path, verdict)),
        Err(error) => Err(ShopError::of_database(path, error)),
    }
}

/// With a write-ahead log, readers do not wait for the writer; with FULL, a commit is on the disk
/// before anybody hears of it.
fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// All in one transaction: an interrupted beginning is no beginning.
fn migrate(
    connection: &mut Connection,
    found: &Found,
    fill: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    if !matches!(found, Found::Nothing) {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    transaction.execute_batch(include_str!("schema.sql"))?;
    fill(&transaction)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}
