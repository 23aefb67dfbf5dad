//! The database: one connection that writes, a few that read, and nobody else.

mod open;
mod readers;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use toolpact::ToolError;

use readers::Readers;

pub(crate) use open::NAME;

/// The database of a shop. Everything here blocks: tools that are `async` use the methods whose
/// names end in `_aside`.
pub(crate) struct Database {
    dir: PathBuf,
    readers: Readers,
    /// Closed after the readers, so that it can put the log into the file.
    writer: Mutex<Connection>,
    /// Held while a copy is made, so that none is taken for an old one while it is new.
    pub(crate) copying: Mutex<()>,
    /// Counts what was written, to wake those who wait for something to happen.
    written: watch::Sender<u64>,
    /// Held for as long as the database is open.
    _lock: std::fs::File,
}

impl Database {
    /// Where the shop has its files.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Looks something up. All that `work` sees is from the same moment.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let connection = self.readers.get();
        // Ends when it is dropped: there is nothing to keep.
        let moment = connection.unchecked_transaction()?;
        work(&moment)
    }

    /// Changes something: all of it if `work` succeeds, and nothing if it fails. When this returns,
    /// the change is on the disk.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let mut connection = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&mut transaction)?;
        transaction.commit()?;
        drop(connection);
        self.written.send_modify(|count| *count += 1);
        Ok(result)
    }

    /// [`Database::read`] for tools that are `async`.
    pub(crate) async fn read_aside<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Connection) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let database = Arc::clone(self);
        tokio::task::spawn_blocking(move || database.read(work)).await?
    }

    /// [`Database::write`] for tools that are `async`.
    pub(crate) async fn write_aside<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let database = Arc::clone(self);
        tokio::task::spawn_blocking(move || database.write(work)).await?
    }

    /// Wakes who waits for something to be written: there is something to know.
    pub(crate) fn wake_readers(&self) {
        self.written.send_modify(|count| *count += 1);
    }

    /// Has every change fail, as a full disk does.
    #[cfg(test)]
    pub(crate) fn refuse_writes(&self, refuse: bool) {
        let writer = self.writer.lock().unwrap();
        writer.pragma_update(None, "query_only", refuse).unwrap();
    }

    /// Tells when something was written.
    pub(crate) fn written(&self) -> watch::Receiver<u64> {
        self.written.subscribe()
    }
}

/// Waits until something is written, but not longer than this. Returns whether it was in time. When
/// the time is over it is over, however much is written.
pub(crate) async fn written_before(end: Instant, written: &mut watch::Receiver<u64>) -> bool {
    // A timeout would look at the clock last.
    Instant::now() < end && matches!(timeout_at(end, written.changed()).await, Ok(Ok(())))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::watch;
    use tokio::time::Instant;

    use super::written_before;

    #[tokio::test]
    async fn the_time_is_over_even_if_something_is_written() {
        let (writer, mut written) = watch::channel(0);
        writer.send(1).unwrap();
        assert!(!written_before(Instant::now(), &mut written).await);
        let later = Instant::now() + Duration::from_secs(60);
        assert!(written_before(later, &mut written).await);
        let soon = Instant::now() + Duration::from_millis(1);
        assert!(!written_before(soon, &mut written).await);
    }
}
