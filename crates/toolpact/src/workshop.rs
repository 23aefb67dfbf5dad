//! The threads that tools run on, away from those of their callers.
//!
//! Async tools share a pool of threads. A tool that blocks its thread takes it away from the others;
//! if no thread of the pool answers any more, another pool takes over, and the old one is used again
//! when it has come back to life. There are only so many pools, so what tools can take away has an
//! end. Deadlines are kept by a thread that no tool runs on.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};

/// How often it is looked at whether a pool answers.
const BEAT: Duration = Duration::from_millis(50);
/// How long a pool may be silent.
const PATIENCE: Duration = Duration::from_millis(200);
/// Most pools.
const POOLS: usize = 8;
/// Most threads of a pool for tools that block.
const THREADS: usize = 512;

pub(crate) struct Workshop {
    /// Has a thread of its own, so that time goes on whatever tools block.
    clock: Handle,
    pools: RwLock<Vec<Arc<Pool>>>,
    /// Work that may not have begun yet, the oldest first.
    waiting: Mutex<VecDeque<Arc<Job>>>,
    current: AtomicUsize,
    /// How much work there is.
    busy: AtomicUsize,
    watch: OnceLock<Thread>,
    born: Instant,
}

/// The workshop of this process, opened by the first call. `None` if there can be no threads.
pub(crate) fn shared() -> Option<&'static Workshop> {
    static SHARED: OnceLock<Option<Workshop>> = OnceLock::new();
    SHARED.get_or_init(Workshop::open).as_ref()
}

impl Workshop {
    fn open() -> Option<Self> {
        Some(Self {
            clock: clock()?,
            pools: RwLock::new(vec![Pool::open(0)?]),
            waiting: Mutex::default(),
            current: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
            watch: OnceLock::new(),
            born: Instant::now(),
        })
    }

    /// Runs a future on the shared threads.
    pub(crate) fn spawn(&'static self, work: impl Future<Output = ()> + Send + 'static) {
        let busy = self.begin();
        let work = async move {
            let _busy = busy;
            work.await;
        };
        let job = Arc::new(Job(Mutex::new(Some(Box::pin(work)))));
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

    /// Ends at this time, whatever runtime the caller has, or none.
    pub(crate) fn until(&self, deadline: Instant) -> tokio::time::Sleep {
        let _inside = self.clock.enter();
        tokio::time::sleep_until(deadline.into())
    }

    /// How many pools do not answer at the moment.
    pub(crate) fn blocked(&self) -> usize {
        let now = self.now();
        self.pools()
            .iter()
            .filter(|pool| pool.is_silent(now))
            .count()
    }

    fn handle(&self) -> Handle {
        let pools = self.pools.read().unwrap_or_else(PoisonError::into_inner);
        let current = self.current.load(Ordering::Relaxed);
        let pool = pools.get(current).or(pools.first());
        // There is always one: it is opened first, and none is ever closed.
        pool.map_or_else(Handle::current, |pool| pool.handle.clone())
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

    /// Counts work. Somebody watches over it for as long as there is any.
    fn begin(&'static self) -> Busy {
        if self.busy.fetch_add(1, Ordering::AcqRel) == 0 {
            match self.watch.get() {
                Some(thread) => thread.unpark(),
                None => self.start_watching(),
            }
        }
        Busy(self)
    }

    /// Without someone to watch, blocked threads are not replaced, but all else works.
    fn start_watching(&'static self) {
        let thread = std::thread::Builder::new().name("toolpact-watch".to_owned());
        if let Ok(watch) = thread.spawn(|| self.watch()) {
            let thread = watch.thread().clone();
            // If two began at once, one of them has nothing to do.
            drop(self.watch.set(thread));
        }
    }

    /// Looks after the pools for as long as there is a process.
    fn watch(&self) {
        loop {
            match self.busy.load(Ordering::Acquire) {
                0 => std::thread::park(),
                _ => std::thread::sleep(BEAT),
            }
            let now = self.now();
            let pools = self.pools();
            pools.iter().for_each(|pool| pool.ask(now));
            let current = self.current.load(Ordering::Relaxed);
            let healthy = pools.iter().position(|pool| !pool.is_silent(now));
            match healthy {
                Some(place) if place != current => {
                    self.current.store(place, Ordering::Relaxed);
                    self.move_to(&pools[place].handle);
                }
                Some(_) => {}
                None if pools.len() < POOLS => self.take_over(pools.len()),
                None => {}
            }
        }
    }

    fn take_over(&self, number: usize) {
        tracing::warn!(
            target: "toolpact",
            pool = number,
            "tools block every thread they have, so there are new ones"
        );
        if let Some(pool) = Pool::open(number) {
            let mut pools = self.pools.write().unwrap_or_else(PoisonError::into_inner);
            pools.push(Arc::clone(&pool));
            drop(pools);
            self.current.store(number, Ordering::Relaxed);
            self.move_to(&pool.handle);
        }
    }

    /// What has not begun need not wait for those who block. It may begin in two places, and does
    /// in the first.
    fn move_to(&self, handle: &Handle) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for job in waiting.iter().filter(|job| !job.has_begun()) {
            handle.spawn(Arc::clone(job).begin());
        }
    }
}

/// Some work that is not done yet.
struct Busy(&'static Workshop);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Work that begins once.
struct Job(Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>);

impl Job {
    fn take(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn has_begun(&self) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_none()
    }

    async fn begin(self: Arc<Self>) {
        if let Some(work) = self.take() {
            work.await;
        }
    }
}

/// A thread that does nothing but tell the time.
fn clock() -> Option<Handle> {
    let runtime = Builder::new_current_thread().enable_time().build().ok()?;
    let handle = runtime.handle().clone();
    let thread = std::thread::Builder::new().name("toolpact-clock".to_owned());
    let tell = move || runtime.block_on(std::future::pending::<()>());
    thread.spawn(tell).ok()?;
    Some(handle)
}

struct Pool {
    handle: Handle,
    /// Never closed, because it may be blocked for ever.
    _runtime: std::mem::ManuallyDrop<Runtime>,
    /// When it was asked to answer, in milliseconds since the workshop opened, plus one; 0 if it has
    /// answered.
    asked: Arc<AtomicU64>,
}

impl Pool {
    fn open(number: usize) -> Option<Arc<Self>> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let runtime = Builder::new_multi_thread()
            .worker_threads(cores.max(2))
            .max_blocking_threads(THREADS)
            .thread_name(format!("toolpact-{number}"))
            .enable_all()
            .build();
        let runtime = runtime
            .inspect_err(
                |error| tracing::error!(target: "toolpact", %error, "no threads for tools"),
            )
            .ok()?;
        Some(Arc::new(Self {
            handle: runtime.handle().clone(),
            _runtime: std::mem::ManuallyDrop::new(runtime),
            asked: Arc::new(AtomicU64::new(0)),
        }))
    }

    /// Asks for a sign of life, unless one is awaited.
    fn ask(&self, now: u64) {
        if self.asked.load(Ordering::Relaxed) == 0 {
            self.asked.store(now + 1, Ordering::Relaxed);
            let asked = Arc::clone(&self.asked);
            self.handle
                .spawn(async move { asked.store(0, Ordering::Relaxed) });
        }
    }

    fn is_silent(&self, now: u64) -> bool {
        let asked = self.asked.load(Ordering::Relaxed);
        asked != 0 && u128::from(now.saturating_sub(asked - 1)) > PATIENCE.as_millis()
    }
}
