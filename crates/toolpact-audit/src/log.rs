//! The log that a registry writes its calls to.

use std::cell::Cell;
use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use toolpact::ToolError;
use toolpact::observe::{CallDetails, CallLog, CallRecord, Committing};

use crate::queue::{Batch, Failing, Fate, Queue};
use crate::writer::Writer;
use crate::{AuditConfig, AuditError, Event, Fsync, WhenFull};

/// The code of the error of calls that could not be recorded.
pub const NOT_RECORDED: &str = "INTERNAL_AUDIT";

/// How often the disk is told to keep what was written.
const INTERVAL: Duration = Duration::from_secs(1);

/// How often it is tried to write again where nothing could be written.
const RETRY: Duration = Duration::from_millis(100);

/// How often the log says that nothing can be written.
const REMIND: Duration = Duration::from_secs(10);

/// Lines that are kept in memory while nothing can be written and calls go on.
const KEPT: usize = 1 << 20;

/// How often one who writes also writes what others have added meanwhile, before one of them has to.
const TURNS: usize = 64;

/// Records calls, each before its answer leaves.
///
/// Nobody has a thread of their own for it: of the calls that end at the same time one writes the lines of all.
pub struct AuditLog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What has been counted. Cloning is cheap.
#[derive(Debug, Clone, Default)]
pub struct AuditMetrics(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    lines: AtomicU64,
    writes: AtomicU64,
    lost: AtomicU64,
    failing: AtomicBool,
}

struct Shared {
    queue: Mutex<Queue>,
    writer: Mutex<Writer>,
    /// For a thread that syncs.
    changed: Condvar,
    /// Calls that have begun and not ended.
    running: AtomicUsize,
    /// Lost calls that no line tells of yet.
    unsaid: AtomicU64,
    /// Whether something was written that the disk may not have.
    unsynced: AtomicBool,
    metrics: AuditMetrics,
    details: CallDetails,
    tools: HashMap<String, CallDetails>,
    when_full: WhenFull,
    fsync: Fsync,
}

thread_local! {
    /// Whether the call that is being logged was refused. It is logged and committed without a pause in between,
    /// so no other call of this thread comes between the two.
    static IS_REFUSED: Cell<bool> = const { Cell::new(false) };
}

impl AuditLog {
    /// Opens an audit, or begins one. What the last server left behind is put in order first.
    pub fn open(config: &AuditConfig) -> Result<Self, AuditError> {
        let tools = config.tools.iter();
        let tools = tools.map(|(name, tool)| (name.clone(), config.details_of(tool)));
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            writer: Mutex::new(Writer::open(config)?),
            changed: Condvar::new(),
            running: AtomicUsize::new(0),
            unsaid: AtomicU64::new(0),
            unsynced: AtomicBool::new(true),
            metrics: AuditMetrics::default(),
            details: config.details(),
            tools: tools.collect(),
            when_full: config.when_full,
            fsync: config.fsync,
        });
        let thread = match config.fsync {
            Fsync::None => None,
            Fsync::Interval | Fsync::Each => {
                let shared = Arc::clone(&shared);
                let thread = std::thread::Builder::new().name("toolpact-audit".to_owned());
                let thread = thread.spawn(move || shared.keep_synced());
                Some(thread.map_err(AuditError::io("start a thread for", &config.directory))?)
            }
        };
        Ok(Self { shared, thread })
    }

    /// What has been counted, to be read while the log is in use.
    #[must_use]
    pub fn metrics(&self) -> AuditMetrics {
        self.shared.metrics.clone()
    }
}

impl CallLog for AuditLog {
    fn begin(&self) -> Result<(), ToolError> {
        let shared = &self.shared;
        shared.running.fetch_add(1, Ordering::Relaxed);
        if !shared.metrics.is_failing() || shared.when_full == WhenFull::Continue {
            return Ok(());
        }
        shared.try_again();
        match shared.metrics.is_failing() {
            true => Err(not_recorded(false)),
            false => Ok(()),
        }
    }

    fn write(&self, record: &CallRecord<'_>) {
        let shared = &self.shared;
        shared.running.fetch_sub(1, Ordering::Relaxed);
        // There is no room for a line about a call that was refused because there is no room.
        if record.error == Some(NOT_RECORDED) && shared.metrics.is_failing() {
            IS_REFUSED.set(true);
            return shared.lose(1);
        }
        let details = shared.tools.get(record.tool).unwrap_or(&shared.details);
        let mut line = Vec::with_capacity(1024);
        record.write_json(details, &mut line);
        shared.queue().add(&line);
    }

    fn commit(&self) -> Option<Committing<'_>> {
        // It has no line, and its caller is told that nothing was done.
        if IS_REFUSED.take() {
            return None;
        }
        let shared = &*self.shared;
        let (line, lead) = {
            let mut queue = shared.queue();
            (queue.queued, shared.lead(&mut queue))
        };
        if shared.fsync == Fsync::Each {
            shared.changed.notify_one();
        }
        Some(Box::pin(async move {
            if let Some(lead) = lead {
                // Calls that are about to end as well are written together with this one.
                if shared.running.load(Ordering::Relaxed) > 0 {
                    tokio::task::yield_now().await;
                }
                drop(lead);
            }
            poll_fn(|context| shared.poll_written(line, context)).await
        }))
    }
}

/// Who has this writes what waits when it is dropped, whether or not somebody still waits for it.
struct Lead<'a>(&'a Shared);

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        self.0.write_all();
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lead, unless somebody has it, or a thread writes.
    fn lead(&self, queue: &mut Queue) -> Option<Lead<'_>> {
        let is_free = !queue.is_led && self.fsync != Fsync::Each;
        queue.is_led |= is_free;
        is_free.then(|| Lead(self))
    }

    fn poll_written(&self, line: u64, context: &mut Context<'_>) -> Poll<Result<(), ToolError>> {
        loop {
            let mut queue = self.queue();
            match queue.fate(line) {
                Fate::Safe => return Poll::Ready(Ok(())),
                Fate::Unwritten => return Poll::Ready(self.unwritten()),
                Fate::Unled if self.fsync != Fsync::Each => {
                    let lead = self.lead(&mut queue);
                    drop(queue);
                    drop(lead);
                }
                Fate::Waits | Fate::Unled => {
                    queue.waiting.push(context.waker().clone());
                    return Poll::Pending;
                }
            }
        }
    }

    fn unwritten(&self) -> Result<(), ToolError> {
        match self.when_full {
            WhenFull::Refuse => Err(not_recorded(true)),
            WhenFull::Continue => Ok(()),
        }
    }

    /// Writes what waits, and what comes meanwhile. Who has the lead calls this, and nobody else.
    fn write_all(&self) {
        let mut batch = Batch::default();
        for turn in 1.. {
            let last = {
                let mut queue = self.queue();
                std::mem::swap(&mut queue.batch, &mut batch);
                queue.queued
            };
            let written = self.write_batch(&batch);
            batch.clear();
            let (is_done, waiting) = self.settle(last, &written, turn, &mut batch);
            waiting.into_iter().for_each(std::task::Waker::wake);
            if is_done {
                return;
            }
        }
    }

    fn write_batch(&self, batch: &Batch) -> std::io::Result<()> {
        let mut writer = self.writer();
        let is_too_much = self.metrics.is_failing()
            && self.when_full == WhenFull::Continue
            && writer.waiting() > KEPT;
        match is_too_much {
            true => self.lose(batch.len()),
            false => writer.add(&batch.objects, &batch.ends),
        }
        writer.write()?;
        self.say_what_was_lost(&mut writer)?;
        self.unsynced.store(true, Ordering::Relaxed);
        if self.fsync == Fsync::Each {
            for file in writer.files_to_sync()? {
                file.sync_data()?;
            }
        }
        let metrics = &self.metrics.0;
        metrics.lines.fetch_add(batch.len(), Ordering::Relaxed);
        metrics.writes.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn say_what_was_lost(&self, writer: &mut Writer) -> std::io::Result<()> {
        let calls = self.unsaid.load(Ordering::Relaxed);
        if calls == 0 {
            return Ok(());
        }
        let since = self.queue().failing.as_ref().map(|f| f.since.clone());
        let since = since.unwrap_or_default();
        writer.event(&Event::Lost { calls, since });
        self.unsaid.fetch_sub(calls, Ordering::Relaxed);
        writer.write()
    }

    /// What those are told who wait. Gives up the lead if nothing waits, or after some turns.
    fn settle(
        &self,
        last: u64,
        written: &std::io::Result<()>,
        turn: usize,
        spare: &mut Batch,
    ) -> (bool, Vec<std::task::Waker>) {
        let mut queue = self.queue();
        queue.tried = last;
        match written {
            Ok(()) => queue.safe = last,
            Err(error) => self.say_failing(&mut queue, error),
        }
        if written.is_ok() && queue.failing.take().is_some() {
            self.metrics.0.failing.store(false, Ordering::Relaxed);
            tracing::warn!(target: "toolpact::audit", lost = self.metrics.lost(), "the audit can be written again");
        }
        let is_done = queue.batch.is_empty() || turn >= TURNS;
        if is_done {
            queue.is_led = false;
            if queue.batch.is_empty() {
                // Its memory is used again.
                std::mem::swap(&mut queue.batch, spare);
            }
        }
        (is_done, std::mem::take(&mut queue.waiting))
    }

    fn say_failing(&self, queue: &mut Queue, error: &std::io::Error) {
        let now = Instant::now();
        self.metrics.0.failing.store(true, Ordering::Relaxed);
        let since = || jiff::Timestamp::now().to_string();
        let is_new = queue.failing.is_none();
        let failing = queue.failing.get_or_insert_with(|| Failing {
            since: since(),
            tried: now,
            said: now,
        });
        failing.tried = now;
        if is_new || now.duration_since(failing.said) >= REMIND {
            failing.said = now;
            let (lost, what) = (self.metrics.lost(), self.when_full);
            tracing::error!(target: "toolpact::audit", %error, lost, calls = ?what, "the audit cannot be written");
        }
    }

    /// Tries to write what could not be written, but not all the time.
    fn try_again(&self) {
        let lead = {
            let mut queue = self.queue();
            let failing = queue.failing.as_mut();
            let is_time = failing.is_some_and(|failing| failing.tried.elapsed() >= RETRY);
            match is_time {
                true => self.lead(&mut queue),
                false => None,
            }
        };
        drop(lead);
    }

    fn lose(&self, calls: u64) {
        self.unsaid.fetch_add(calls, Ordering::Relaxed);
        self.metrics.0.lost.fetch_add(calls, Ordering::Relaxed);
    }

    /// What the thread does: tells the disk, or writes and tells the disk.
    fn keep_synced(&self) {
        loop {
            let mut queue = self.queue();
            let is_idle = |queue: &mut Queue| {
                !queue.is_closed && (self.fsync == Fsync::Interval || queue.batch.is_empty())
            };
            let wait = self.changed.wait_timeout_while(queue, INTERVAL, is_idle);
            (queue, _) = wait.unwrap_or_else(PoisonError::into_inner);
            let (is_closed, is_failing) = (queue.is_closed, queue.failing.is_some());
            let writes = !queue.batch.is_empty() || is_failing;
            drop(queue);
            match self.fsync {
                Fsync::Each if writes => self.write_all(),
                Fsync::Interval if is_failing => self.try_again(),
                _ => {}
            }
            self.sync();
            if is_closed {
                return;
            }
        }
    }

    fn sync(&self) {
        if !self.unsynced.swap(false, Ordering::Relaxed) {
            return;
        }
        let files = self.writer().files_to_sync();
        let synced = files.and_then(|files| files.iter().try_for_each(std::fs::File::sync_data));
        if let Err(error) = synced {
            tracing::error!(target: "toolpact::audit", %error, "the disk may not have what was written");
        }
    }
}

impl AuditMetrics {
    /// Lines that were written for calls.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.0.lines.load(Ordering::Relaxed)
    }

    /// How often lines were written: several at a time, if several calls ended.
    #[must_use]
    pub fn writes(&self) -> u64 {
        self.0.writes.load(Ordering::Relaxed)
    }

    /// Calls that have no line, because none could be written.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.0.lost.load(Ordering::Relaxed)
    }

    /// Whether no line can be written now.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.0.failing.load(Ordering::Relaxed)
    }
}

impl Drop for AuditLog {
    fn drop(&mut self) {
        self.shared.queue().is_closed = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
        let lead = self.shared.lead(&mut self.shared.queue());
        drop(lead);
    }
}

impl std::fmt::Debug for AuditLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuditLog").finish_non_exhaustive()
    }
}

/// What a caller reads whose call could not be recorded.
#[cold]
fn not_recorded(is_made: bool) -> ToolError {
    let message = match is_made {
        true => {
            "The call was made, but it could not be recorded, so its result is withheld. Do not repeat it; tell \
             the user."
        }
        false => {
            "Calls are recorded here, and this one could not be, so nothing was done. Tell the user."
        }
    };
    ToolError::with_code(NOT_RECORDED, message).with_detail("call_made", is_made)
}
