//! Lines that wait to be written, and who waits for them.

use std::task::Waker;
use std::time::Instant;

/// Lines are numbered in the order in which they come; 0 is before the first.
#[derive(Default)]
pub(crate) struct Queue {
    /// JSON objects, one after the other, and where each ends.
    pub(crate) batch: Batch,
    /// The last line that came.
    pub(crate) queued: u64,
    /// The last line that somebody has tried to write.
    pub(crate) tried: u64,
    /// The last line that is as safe as it has to be.
    pub(crate) safe: u64,
    /// Whether somebody writes, or is about to.
    pub(crate) is_led: bool,
    pub(crate) waiting: Vec<Waker>,
    /// Since when nothing can be written.
    pub(crate) failing: Option<Failing>,
    /// Whether lines were written that `head` does not know.
    pub(crate) is_head_behind: bool,
    pub(crate) is_closed: bool,
}

#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) objects: Vec<u8>,
    pub(crate) ends: Vec<usize>,
}

pub(crate) struct Failing {
    pub(crate) since: String,
    pub(crate) tried: Instant,
    pub(crate) said: Instant,
}

/// What becomes of a line.
pub(crate) enum Fate {
    /// It is as safe as it has to be.
    Safe,
    /// It could not be written.
    Unwritten,
    /// It waits, and somebody will write it.
    Waits,
    /// It waits, and nobody has begun to write it.
    Unled,
}

impl Queue {
    pub(crate) fn add(&mut self, object: &[u8]) {
        self.batch.objects.extend_from_slice(object);
        self.batch.ends.push(self.batch.objects.len());
        self.queued += 1;
    }

    pub(crate) fn is_safe(&self, line: u64) -> bool {
        self.safe >= line
    }

    pub(crate) fn fate(&self, line: u64) -> Fate {
        match () {
            () if self.is_safe(line) => Fate::Safe,
            () if self.tried >= line => Fate::Unwritten,
            () if self.is_led => Fate::Waits,
            () => Fate::Unled,
        }
    }
}

impl Batch {
    pub(crate) fn len(&self) -> u64 {
        u64::try_from(self.ends.len()).unwrap_or(u64::MAX)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Keeps memory for the next lines, but not for the longest ever.
    pub(crate) fn clear(&mut self) {
        const KEPT: usize = 1 << 20;
        self.objects.clear();
        self.objects.shrink_to(KEPT);
        self.ends.clear();
        self.ends.shrink_to(KEPT);
    }
}
