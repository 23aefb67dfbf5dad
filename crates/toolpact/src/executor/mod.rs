//! The executor: the threads that tools run on, apart from those of their callers.
//!
//! Async tools share a pool of threads. If tools block all of them, another pool takes over, and the
//! old one is used again when it recovers. The number of pools is bounded. Deadlines are kept by a
//! thread that no tool runs on.

mod pool;
mod queued_work;
mod timer;
mod watchdog;

use std::collections::VecDeque;
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread::Thread;
use std::time::Instant;

use tokio::runtime::Handle;

use pool::Pool;
use queued_work::QueuedWork;

pub(crate) struct Executor {
    /// A runtime with a thread of its own, so that no tool can delay timers.
    timer: Handle,
    pools: RwLock<Vec<Arc<Pool>>>,
    /// Work that may not have begun yet, the oldest first.
    waiting: Mutex<VecDeque<Arc<QueuedWork>>>,
    current: AtomicUsize,
    /// How much work there is.
    busy: AtomicUsize,
    watch: OnceLock<Thread>,
    /// Whether the watchdog is awake.
    is_watched: AtomicBool,
    born: Instant,
}

/// The executor of this process, started by the first call. `None` if threads cannot be started.
pub(crate) fn shared() -> Option<&'static Executor> {
    static SHARED: OnceLock<Option<Executor>> = OnceLock::new();
    SHARED.get_or_init(Executor::open).as_ref()
}

impl Executor {
    fn open() -> Option<Self> {
        Some(Self {
            timer: timer::start()?,
            pools: RwLock::new(vec![Pool::open(0)?]),
            waiting: Mutex::default(),
            current: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
            watch: OnceLock::new(),
            is_watched: AtomicBool::new(false),
            born: Instant::now(),
        })
    }

    /// Runs a future on the pool.
    pub(crate) fn spawn(&'static self, work: impl Future<Output = ()> + Send + 'static) {
        let busy = self.begin();
        let work = async move {
            let _busy = busy;
            work.await;
        };
        let job = Arc::new(QueuedWork::new(work));
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        while waiting.front().is_some_and(|job| job.has_begun()) {
            waiting.pop_front();
        }
        waiting.push_back(Arc::clone(&job));
        drop(waiting);
        self.handle().spawn(job.begin());
    }

    /// Runs a future to its end on a thread of its own.
    pub(crate) fn spawn_blocking(&self, work: impl Future<Output = ()> + Send + 'static) {
        let handle = self.handle();
        let inside = handle.clone();
        handle.spawn_blocking(move || inside.block_on(work));
    }

    /// Sleeps until then. The caller needs no runtime.
    pub(crate) fn until(&self, deadline: Instant) -> tokio::time::Sleep {
        let _inside = self.timer.enter();
        tokio::time::sleep_until(deadline.into())
    }

    /// How many pools are blocked.
    pub(crate) fn blocked(&self) -> usize {
        let now = self.now();
        self.pools()
            .iter()
            .filter(|pool| pool.is_blocked(now))
            .count()
    }

    fn handle(&self) -> Handle {
        let pools = self.pools.read().unwrap_or_else(PoisonError::into_inner);
        let current = self.current.load(Ordering::Relaxed);
        let pool = pools.get(current).or(pools.first());
        // There is always one: the first is opened with the executor, and none is ever closed.
        pool.map_or_else(Handle::current, |pool| pool.handle().clone())
    }

    fn pools(&self) -> Vec<Arc<Pool>> {
        self.pools
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn now(&self) -> u64 {
        u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
