//! A job that takes longer than a call: started, asked about, called off.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use toolpact::returns::OperationStatus;
use toolpact::{Context, ToolError, tool};

use super::examples;
use crate::Shop;
use crate::database::written_before;
use crate::store::operations::{self, Reindexed};
use crate::values::OperationId;

impl Shop {
    /// Starts to write the index of words anew, in which `search_orders` finds text. The job goes on
    /// by itself; ask for it with `get_operation`. There is one at a time.
    #[tool(timeout_ms = 10_000, example = examples::running)]
    pub(crate) fn start_reindex(
        &self,
        /// How long the job rests after each step, in milliseconds, so that others can write.
        #[tool(default = 20)]
        #[schemars(range(max = 1000))]
        rest_ms: u32,
    ) -> Result<OperationStatus<Reindexed>, ToolError> {
        let rest = Duration::from_millis(rest_ms.into());
        let id = self.jobs.start(&self.database, rest)?;
        self.database.read(|from| operations::status(from, id))
    }

    /// Says how far a job is, or what came of it, however long ago that was.
    #[tool(read_only, idempotent, timeout_ms = 65_000, example = examples::running)]
    pub(crate) async fn get_operation(
        &self,
        /// The job, as in OP-3.
        operation: OperationId,
        /// How long to wait for its end, in seconds. Its progress is reported meanwhile.
        #[tool(default = 0)]
        #[schemars(range(max = 60))]
        wait: u32,
        context: &Context,
    ) -> Result<OperationStatus<Reindexed>, ToolError> {
        let end = Instant::now() + Duration::from_secs(wait.into());
        let mut written = self.database.written();
        let mut told = None;
        loop {
            let (broken, database) = (self.jobs.broken.clone(), Arc::clone(&self.database));
            let status = move || broken.status(&database, operation);
            let status = tokio::task::spawn_blocking(status).await??;
            if status.state().is_final() {
                return Ok(status);
            }
            // What was written may have been something else.
            let progress = status.progress().filter(|_| wait > 0);
            if let Some(progress) = progress.filter(|new| told.as_ref() != Some(*new)) {
                context.progress(progress.clone()).await;
                told = Some(progress.clone());
            }
            if !written_before(end, &mut written).await {
                return Ok(status);
            }
        }
    }

    /// Calls off a job. What it has done so far stays. A job that has ended stays as it is.
    #[tool(idempotent, timeout_ms = 10_000, example = examples::running)]
    pub(crate) fn cancel_operation(
        &self,
        /// The job, as in OP-3.
        operation: OperationId,
    ) -> Result<OperationStatus<Reindexed>, ToolError> {
        self.database.write(|to| {
            operations::end(to, operation, "cancelled")?;
            operations::status(to, operation)
        })
    }
}
