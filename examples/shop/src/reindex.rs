//! Writing the index of words anew: a job on a thread of its own, in small steps.
//!
//! Each step is one transaction that writes some orders and says how far the job is, so what a
//! caller is told is always true. A job is cancelled by saying so in the database: the next step
//! finds out. What is in the index already stays good.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use toolpact::ToolError;
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::returns::OperationStatus;

use crate::database::{Database, NAME};
use crate::store::operations::{self, Reindexed};
use crate::store::words;
use crate::values::OperationId;
use crate::{ShopError, ShopErrorKind};

/// How many orders a step takes.
const STEP: i64 = 50;

/// The job, if there is one.
pub(crate) struct Jobs {
    thread: Mutex<Option<JoinHandle<()>>>,
    /// The last one that failed without the database knowing.
    pub(crate) broken: Broken,
    closing: Arc<Closing>,
}

/// Says that the shop closes, and wakes a job that rests.
#[derive(Default)]
struct Closing {
    closes: Mutex<bool>,
    wake: Condvar,
}

/// A job whose failure could not be written down when it happened, and why it failed.
#[derive(Clone, Default)]
pub(crate) struct Broken(Arc<Mutex<Option<(OperationId, StandardError)>>>);

impl Broken {
    /// What a caller is told about a job. That it failed is written down as soon as that is possible.
    pub(crate) fn status(
        &self,
        database: &Database,
        id: OperationId,
    ) -> Result<OperationStatus<Reindexed>, ToolError> {
        let broken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let why = broken.as_ref().filter(|(other, _)| *other == id);
        let why = why.map(|(_, why)| why.clone());
        drop(broken);
        let status = database.read(|from| operations::status_or(from, id, why.as_ref()))?;
        if why.is_some() {
            // The disk may still be full.
            let _ = database.write(|to| operations::end(to, id, "failed"));
        }
        Ok(status)
    }

    fn set(&self, id: OperationId) {
        let why = StandardError::new(
            ErrorKind::DependencyFailed,
            "The job broke off, since the database could not be written: its disk may be full. The index is still \
             good for searching; make room, then start the job again with `start_reindex`.",
        );
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((id, why));
    }
}

impl Jobs {
    /// A job that ran when the last process ended has failed.
    pub(crate) fn new(database: &Database) -> Result<Self, ShopError> {
        let failed = database.write(|to| {
            let running = operations::running(to)?;
            running.map_or(Ok(()), |id| operations::end(to, id, "failed"))
        });
        failed.map_err(|error| {
            let path = database.dir().join(NAME);
            ShopError::because(ShopErrorKind::Failed, &path, format!("{error:?}"))
        })?;
        Ok(Self {
            thread: Mutex::default(),
            broken: Broken::default(),
            closing: Arc::default(),
        })
    }

    /// Starts a job, unless one runs.
    pub(crate) fn start(
        &self,
        database: &Arc<Database>,
        rest: Duration,
    ) -> Result<OperationId, ToolError> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let alive = thread.as_ref().is_some_and(|thread| !thread.is_finished());
        let id = database.write(|to| {
            match operations::running(to)? {
                Some(running) if alive => return Err(one_at_a_time(running)),
                // Its thread broke off without a word.
                Some(running) => operations::end(to, running, "failed")?,
                None => {}
            }
            let total = to.query_row("SELECT count(*) FROM orders", (), |row| row.get(0))?;
            operations::start(to, total)
        })?;
        let job = Job {
            id,
            rest,
            database: Arc::clone(database),
            broken: self.broken.clone(),
            closing: Arc::clone(&self.closing),
        };
        let name = "shop-reindex".to_owned();
        *thread = Some(
            std::thread::Builder::new()
                .name(name)
                .spawn(move || job.run())?,
        );
        Ok(id)
    }
}

/// The job must have let go of the database before it can be opened again.
impl Drop for Jobs {
    fn drop(&mut self) {
        *self.closing.lock() = true;
        self.closing.wake.notify_all();
        let thread = self
            .thread
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = thread.take() {
            // It has nothing to say that is not in the database.
            let _ = thread.join();
        }
    }
}

impl Closing {
    fn lock(&self) -> std::sync::MutexGuard<'_, bool> {
        self.closes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rests for so long. Returns whether the shop closes.
    fn rest(&self, time: Duration) -> bool {
        let waited = self
            .wake
            .wait_timeout_while(self.lock(), time, |closes| !*closes);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

struct Job {
    id: OperationId,
    rest: Duration,
    database: Arc<Database>,
    broken: Broken,
    closing: Arc<Closing>,
}

impl Job {
    fn run(self) {
        if let Err(error) = self.steps() {
            tracing::error!(operation = %self.id, ?error, "the job failed");
            let end = |to: &mut rusqlite::Transaction<'_>| operations::end(to, self.id, "failed");
            if let Err(error) = self.database.write(end) {
                tracing::error!(operation = %self.id, ?error, "nor could that be written down");
                self.broken.set(self.id);
                self.database.wake_readers();
            }
        }
    }

    fn steps(&self) -> Result<(), ToolError> {
        let (mut last, mut done) = (0, 0);
        while let Some(next) = self.step(last, &mut done)? {
            last = next;
            // Others want to write, too.
            if self.closing.rest(self.rest) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Writes the next orders after `last`; `None` if there are none, or nobody wants them.
    fn step(&self, last: i64, done: &mut i64) -> Result<Option<i64>, ToolError> {
        self.database.write(|to| {
            let upto: Option<i64> = to.query_row(
                "SELECT max(id) FROM (SELECT id FROM orders WHERE id > ? ORDER BY id LIMIT ?)",
                (last, STEP),
                |row| row.get(0),
            )?;
            let Some(upto) = upto else {
                operations::end(to, self.id, "completed")?;
                return Ok(None);
            };
            *done += i64::try_from(words::write(to, last + 1, upto)?)?;
            let wanted = operations::advance(to, self.id, *done)?;
            Ok(wanted.then_some(upto))
        })
    }
}

fn one_at_a_time(running: OperationId) -> ToolError {
    ToolError::conflict(format!(
        "{running} is under way, and there can be only one at a time. Ask for it with \
         `get_operation`, or end it with `cancel_operation`."
    ))
    .with_detail("operation", running.to_string())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::Shop;
    use crate::values::OperationId;

    /// As when the disk is full: neither the work nor its failure can be written.
    #[test]
    fn a_job_that_cannot_write_has_failed_and_says_why() {
        let dir = tempfile::tempdir().unwrap();
        let shop = Shop::options().orders(300).open(dir.path()).unwrap();
        let started = shop.start_reindex(100).unwrap();
        let id: OperationId = started.operation_id().parse().unwrap();
        shop.database.refuse_writes(true);
        let begin = Instant::now();
        let status = loop {
            let status = shop.jobs.broken.status(&shop.database, id).unwrap();
            if status.state().is_final() {
                break status;
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "{status:?}");
            std::thread::sleep(Duration::from_millis(20));
        };
        let said = serde_json::to_string(&status).unwrap();
        assert!(said.contains(r#""failed""#), "{said}");
        assert!(said.contains("its disk may be full"), "{said}");
        // With space again, it is written down, and another can be started.
        shop.database.refuse_writes(false);
        shop.jobs.broken.status(&shop.database, id).unwrap();
        let running = shop.database.read(super::operations::running);
        assert!(running.unwrap().is_none());
        shop.start_reindex(0).unwrap();
    }
}
