//! The whole database, in pieces.

use std::sync::Arc;

use toolpact::returns::ChunkedData;
use toolpact::session::LogLevel;
use toolpact::{Context, ToolError, tool};

use super::examples;
use crate::Shop;
use crate::backup::{Backup, BackupName};

impl Shop {
    /// Copies the database while the shop goes on, and returns the copy in chunks: one by one, and the
    /// last of them is the result. Who hears only the last gets the others with `read_backup`; the
    /// name of the backup is the `chunk_id`. The newest five copies stay in the data directory.
    #[tool(timeout_ms = 120_000, example = examples::chunk)]
    pub(crate) async fn backup_database(
        &self,
        context: &Context,
    ) -> Result<ChunkedData, ToolError> {
        let database = Arc::clone(&self.database);
        let made = tokio::task::spawn_blocking(move || Backup::make(&database));
        let backup = Arc::new(made.await??);
        let made = format!("{} is made, and on its way.", backup.name());
        context.log(LogLevel::Info, made).await;
        for number in 0.. {
            let from = Arc::clone(&backup);
            let chunk = tokio::task::spawn_blocking(move || from.chunk(number)).await??;
            if chunk.is_last() {
                return Ok(chunk);
            }
            context.emit(&chunk).await?;
        }
        Err(ToolError::internal("a backup without an end"))
    }

    /// Returns one chunk of a backup that was made before.
    #[tool(read_only, idempotent, timeout_ms = 10_000, example = examples::chunk)]
    pub(crate) fn read_backup(
        &self,
        /// The name of the backup, as in backup-20260215T103000Z-1.
        backup: &BackupName,
        /// Which chunk; the first is 0.
        #[tool(default = 0)]
        chunk: u32,
    ) -> Result<ChunkedData, ToolError> {
        Backup::open(&self.database, backup)?.chunk(chunk.into())
    }
}
