//! What waits to be exported.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::settings::Batches;

/// A queue that takes what it has room for, and counts the rest. To add to it never waits for anybody who
/// sends.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    items: Mutex<Vec<T>>,
    batches: Batches,
    /// There is enough for a batch.
    filled: Notify,
    lost: AtomicU64,
}

impl<T> Queue<T> {
    pub(crate) fn new(batches: Batches) -> Self {
        Self {
            items: Mutex::new(Vec::new()),
            batches,
            filled: Notify::new(),
            lost: AtomicU64::new(0),
        }
    }

    pub(crate) fn push(&self, item: T) {
        let mut items = self.lock();
        if items.len() >= self.batches.queue {
            drop(items);
            self.lose(1);
            return;
        }
        items.push(item);
        let count = items.len();
        drop(items);
        if count == self.batches.size {
            self.filled.notify_one();
        }
    }

    /// The oldest that wait, as many as are sent at once.
    pub(crate) fn take(&self) -> Vec<T> {
        let mut items = self.lock();
        if items.len() <= self.batches.size {
            return std::mem::take(&mut items);
        }
        let rest = items.split_off(self.batches.size);
        std::mem::replace(&mut items, rest)
    }

    /// Waits for a batch, or until those that wait have waited for long enough.
    pub(crate) async fn ready(&self) {
        // If there is one already, nothing is going to tell of it.
        if self.lock().len() < self.batches.size {
            let filled = self.filled.notified();
            let _ = tokio::time::timeout(self.batches.delay, filled).await;
        }
    }

    pub(crate) fn lose(&self, count: u64) {
        self.lost.fetch_add(count, Ordering::Relaxed);
    }

    /// How many were lost, before they were sent or since they were refused.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<T>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;
    use crate::settings::Batches;
    use std::time::{Duration, Instant};

    fn queue() -> Queue<u32> {
        Queue::new(Batches {
            queue: 5,
            size: 2,
            delay: Duration::from_mins(1),
        })
    }

    #[test]
    fn what_has_no_room_is_counted() {
        let queue = queue();
        (0..8).for_each(|item| queue.push(item));
        assert_eq!(queue.lost(), 3);
        let batches: Vec<Vec<u32>> = (0..4).map(|_| queue.take()).collect();
        assert_eq!(batches, [vec![0, 1], vec![2, 3], vec![4], vec![]]);
    }

    #[tokio::test]
    async fn a_batch_is_sent_before_its_time() {
        let (queue, began) = (queue(), Instant::now());
        queue.push(0);
        queue.push(1);
        queue.ready().await;
        assert_eq!(queue.take(), [0, 1]);
        // What was left over by then is enough, although nothing is added.
        (0..4).for_each(|item| queue.push(item));
        queue.ready().await;
        queue.take();
        queue.ready().await;
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}
