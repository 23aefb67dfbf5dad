//! Writes the lines of all calls: of those that end together, one for all.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use toolpact::ToolError;
use toolpact::observe::CallDetails;

use crate::log::{AuditMetrics, not_recorded};
use crate::queue::{Batch, Failing, Fate, Queue};
use crate::writer::Writer;
use crate::{Event, Fsync, WhenFull};

/// How often it is tried to write again where nothing could be written.
const RETRY: Duration = Duration::from_millis(100);

/// How often the log says that nothing can be written.
const REMIND: Duration = Duration::from_secs(10);

/// Lines that are kept in memory while nothing can be written and calls go on.
const KEPT: usize = 1 << 20;

/// How often one who writes also writes what others have added meanwhile, before one of them has to.
const TURNS: usize = 64;

/// What the log, those who write and the thread have in common.
pub(crate) struct Shared {
    pub(crate) queue: Mutex<Queue>,
    pub(crate) writer: Mutex<Writer>,
    /// For the thread.
    pub(crate) changed: Condvar,
    /// Calls that have begun and not ended.
    pub(crate) running: AtomicUsize,
    /// Lost calls that no line tells of yet.
    pub(crate) unsaid: AtomicU64,
    /// Whether something was written that the disk may not have.
    pub(crate) unsynced: AtomicBool,
    pub(crate) metrics: AuditMetrics,
    pub(crate) details: CallDetails,
    pub(crate) tools: HashMap<String, CallDetails>,
    pub(crate) when_full: WhenFull,
    pub(crate) fsync: Fsync,
}

/// Who has this writes what waits when it is dropped, whether or not somebody still waits for it.
pub(crate) struct Lead<'a>(&'a Shared);

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        self.0.write_all();
    }
}

impl Shared {
    pub(crate) fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lead, unless somebody has it, or a thread writes.
    pub(crate) fn lead(&self, queue: &mut Queue) -> Option<Lead<'_>> {
        let is_free = !queue.is_led && self.fsync != Fsync::Each;
        queue.is_led |= is_free;
        is_free.then(|| Lead(self))
    }

    pub(crate) fn poll_written(
        &self,
        line: u64,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), ToolError>> {
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
    pub(crate) fn write_all(&self) {
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
            Ok(()) => {
                queue.safe = last;
                if !std::mem::replace(&mut queue.is_head_behind, true) {
                    self.changed.notify_one();
                }
            }
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

    /// Says that something was written that is no line of the queue: the thread looks after the head and the disk.
    pub(crate) fn written(&self) {
        self.unsynced.store(true, Ordering::Relaxed);
        if !std::mem::replace(&mut self.queue().is_head_behind, true) {
            self.changed.notify_one();
        }
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
    pub(crate) fn try_again(&self) {
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

    pub(crate) fn lose(&self, calls: u64) {
        self.unsaid.fetch_add(calls, Ordering::Relaxed);
        self.metrics.0.lost.fetch_add(calls, Ordering::Relaxed);
    }
}
