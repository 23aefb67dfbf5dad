//! The executor: the threads that tools run on, apart from those of their callers.
//!
//! Async tools share a pool of threads: some begin work ([`queue`]), others go on with what has waited. If
//! tools block all of them, another pool takes over, and the old one is used again when it recovers. The number of pools is bounded. Deadlines are kept by a
//! thread that no tool runs on.

mod pool;
mod queue;
mod timer;
mod watchdog;

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::thread::Thread;
use std::time::Instant;

use tokio::runtime::Handle;

use pool::Pool;

pub(crate) struct Executor {
    /// A runtime with a thread of its own, so that no tool can delay timers.
    timer: Handle,
    pools: RwLock<Vec<Arc<Pool>>>,
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
            current: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
            watch: OnceLock::new(),
            is_watched: AtomicBool::new(false),
            born: Instant::now(),
        })
    }

    /// Runs a future on the pool. Who waits for it should [`nudge`](Self::nudge) the pool once.
    pub(crate) fn spawn(&'static self, work: impl Future<Output = ()> + Send + 'static) {
        let busy = self.begin();
        let work = Box::pin(async move {
            let _busy = busy;
            work.await;
        });
        self.with_pool(|pool| pool.queue().push(work));
    }

    /// Has work begun that was left to a thread which is busy with something else.
    pub(crate) fn nudge(&self) {
        self.with_pool(|pool| pool.queue().nudge());
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
        let handle = self.with_pool(|pool| pool.handle().clone());
        handle.unwrap_or_else(Handle::current)
    }

    /// There is always a pool: the first is opened with the executor, and none is ever closed.
    fn with_pool<T>(&self, run: impl FnOnce(&Pool) -> T) -> Option<T> {
        let pools = self.pools.read().unwrap_or_else(PoisonError::into_inner);
        let current = self.current.load(Ordering::Relaxed);
        pools.get(current).or(pools.first()).map(|pool| run(pool))
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
