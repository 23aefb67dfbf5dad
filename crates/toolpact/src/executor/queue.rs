//! Work that has not begun, and the threads that begin it.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use tokio::runtime::Handle;

pub(super) type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The threads poll each work once, which is all that most of it needs. What waits for something goes
/// on in the runtime of the pool.
///
/// To wake a thread costs more than a small call, so work is left to a thread that is awake. If that is
/// busy with something that takes longer, [`nudge`](Self::nudge) wakes another.
#[derive(Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    filled: Condvar,
}

#[derive(Default)]
struct Waiting {
    work: VecDeque<Work>,
    /// Tells whether the pool is blocked, so it stays here when the rest moves to another pool.
    probe: Option<Work>,
    /// Threads that have nothing to do.
    idle: usize,
    /// Those of them that were woken and are on their way.
    woken: usize,
    threads: usize,
}

impl Queue {
    /// Starts so many threads. `None` if not one can be started.
    pub(super) fn open(name: &str, threads: usize, runtime: &Handle) -> Option<Arc<Self>> {
        let queue = Arc::new(Self::default());
        for _ in 0..threads {
            let (own, runtime) = (Arc::clone(&queue), runtime.clone());
            let thread = std::thread::Builder::new().name(name.to_owned());
            if thread.spawn(move || own.run(&runtime)).is_ok() {
                queue.lock().threads += 1;
            }
        }
        let has_threads = queue.lock().threads > 0;
        has_threads.then_some(queue)
    }

    /// Adds work, which a thread that is awake will begin. If there is none, one is woken.
    pub(super) fn push(&self, work: Work) {
        let mut waiting = self.lock();
        waiting.work.push_back(work);
        let is_any_awake = waiting.threads > waiting.idle || waiting.woken > 0;
        if !is_any_awake {
            self.wake_one(waiting);
        }
    }

    /// Wakes another thread if work is left that no thread is on its way to.
    pub(super) fn nudge(&self) {
        let waiting = self.lock();
        let left = waiting.work.len() + usize::from(waiting.probe.is_some());
        if left > waiting.woken {
            self.wake_one(waiting);
        }
    }

    /// Adds what is begun before everything else.
    pub(super) fn put_probe(&self, probe: Work) {
        self.lock().probe = Some(probe);
        self.nudge();
    }

    /// Everything that has not begun moves to another queue.
    pub(super) fn move_to(&self, other: &Self) {
        let moved = std::mem::take(&mut self.lock().work);
        for work in moved {
            other.push(work);
            other.nudge();
        }
    }

    fn wake_one(&self, mut waiting: MutexGuard<'_, Waiting>) {
        if waiting.idle > waiting.woken {
            waiting.woken += 1;
            drop(waiting);
            self.filled.notify_one();
        }
    }

    /// What a thread does.
    fn run(&self, runtime: &Handle) {
        let _inside = runtime.enter();
        loop {
            let work = self.next();
            // A panic of a tool is caught where it is known which tool it is of. This is for the rest.
            drop(catch_unwind(AssertUnwindSafe(|| begin(work, runtime))));
        }
    }

    fn next(&self) -> Work {
        let mut waiting = self.lock();
        loop {
            if let Some(probe) = waiting.probe.take() {
                return probe;
            }
            if let Some(work) = waiting.work.pop_front() {
                return work;
            }
            waiting.idle += 1;
            waiting = self
                .filled
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
            waiting.idle -= 1;
            waiting.woken = waiting.woken.saturating_sub(1);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Polls work once, within the limits on what one task may do at once.
fn begin(mut work: Work, runtime: &Handle) {
    let polled = runtime.block_on(poll_fn(|poller| Poll::Ready(work.as_mut().poll(poller))));
    if polled.is_pending() {
        runtime.spawn(work);
    }
}
