//! Writing the index of words anew: a job on a thread of its own, in small steps.
//!
//! Each step is one transaction that writes some orders and says how far the job is, so what a
//! caller is told is always true. A job is cancelled by saying so in the database: the next step
//! finds out. What is in the index already stays good.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use toolpact::ToolError;

use crate::database::{Database, NAME};
use crate::store::{operations, words};
use crate::values::OperationId;
use crate::{ShopError, ShopErrorKind};

/// How many orders a step takes.
const STEP: i64 = 50;

/// The job, if there is one.
pub(crate) struct Jobs {
    thread: Mutex<Option<JoinHandle<()>>>,
    closing: Arc<Closing>,
}

/// Says that the shop closes, and wakes a job that rests.
#[derive(Default)]
struct Closing {
    closes: Mutex<bool>,
    wake: Condvar,
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
    closing: Arc<Closing>,
}

impl Job {
    fn run(self) {
        if let Err(error) = self.steps() {
            tracing::error!(operation = %self.id, ?error, "the job failed");
            let end = |to: &mut rusqlite::Transaction<'_>| operations::end(to, self.id, "failed");
            if let Err(error) = self.database.write(end) {
                tracing::error!(operation = %self.id, ?error, "nor could that be written down");
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
