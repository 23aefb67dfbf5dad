//! What is done on a thread of its own, since no answer waits for it: `head` is written, and the disk is told to keep
//! what was written.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::Fsync;
use crate::queue::Queue;
use crate::shared::Shared;

/// How often the disk is told to keep what was written.
const INTERVAL: Duration = Duration::from_secs(1);

/// How far `head` may be behind.
const HEAD: Duration = Duration::from_millis(10);

impl Shared {
    /// What the thread does until the log is closed.
    pub(crate) fn keep(&self) {
        let mut synced = Instant::now();
        loop {
            let due = self.wait();
            match self.fsync {
                Fsync::Each if due.lines => self.write_all(),
                Fsync::None | Fsync::Interval if due.retry => self.try_again(),
                _ => {}
            }
            self.write_head();
            if self.fsync != Fsync::None && (due.end || synced.elapsed() >= INTERVAL) {
                synced = Instant::now();
                self.sync();
            }
            if due.end {
                return;
            }
        }
    }

    /// Waits until there is something to do.
    fn wait(&self) -> Due {
        let each = self.fsync == Fsync::Each;
        let is_idle = |queue: &mut Queue| {
            !(queue.is_closed || queue.is_head_behind || each && !queue.batch.is_empty())
        };
        let wait = { &self.changed }.wait_timeout_while(self.queue(), INTERVAL, is_idle);
        let (mut queue, _) = wait.unwrap_or_else(PoisonError::into_inner);
        if queue.is_head_behind && !each {
            // It is written once for all lines that come meanwhile.
            let wait = self
                .changed
                .wait_timeout_while(queue, HEAD, |queue| !queue.is_closed);
            (queue, _) = wait.unwrap_or_else(PoisonError::into_inner);
        }
        let retry = queue.failing.is_some();
        Due {
            lines: retry || !queue.batch.is_empty(),
            retry,
            end: queue.is_closed,
        }
    }

    /// Writes where the audit ends, if `head` does not know.
    pub(crate) fn write_head(&self) {
        let is_behind = std::mem::take(&mut self.queue().is_head_behind);
        if is_behind {
            self.writer().write_head_or_say();
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

/// What there is to do.
struct Due {
    /// Lines wait that nobody else writes.
    lines: bool,
    /// Lines could not be written.
    retry: bool,
    /// The log is closed.
    end: bool,
}
