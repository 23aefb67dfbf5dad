//! Replaces pools whose threads are all blocked.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::Executor;
use super::pool::Pool;

/// How often pools are probed.
const INTERVAL: Duration = Duration::from_millis(50);
/// Most pools.
const POOLS: usize = 8;

impl Executor {
    /// Counts work. The watchdog is awake while there is any.
    pub(super) fn begin(&'static self) -> Busy {
        self.busy.fetch_add(1, Ordering::SeqCst);
        if !self.is_watched.load(Ordering::SeqCst) && !self.is_watched.swap(true, Ordering::SeqCst)
        {
            match self.watch.get() {
                Some(thread) => thread.unpark(),
                None => self.start_watching(),
            }
        }
        Busy(self)
    }

    /// Without a watchdog, blocked threads are not replaced; all else works.
    fn start_watching(&'static self) {
        let thread = std::thread::Builder::new().name("toolpact-watch".to_owned());
        if let Ok(watch) = thread.spawn(|| self.watch()) {
            let thread = watch.thread().clone();
            // There is none yet: it is started once, and never ends.
            drop(self.watch.set(thread));
        }
    }

    /// Probes the pools, for as long as the process lives. It stays awake between calls that follow each
    /// other: waking it costs more than a small call.
    fn watch(&self) {
        loop {
            std::thread::sleep(INTERVAL);
            self.probe_pools();
            if self.busy.load(Ordering::SeqCst) == 0 {
                self.is_watched.store(false, Ordering::SeqCst);
                // Work that began in between saw that it is watched.
                if self.busy.load(Ordering::SeqCst) > 0 {
                    self.is_watched.store(true, Ordering::SeqCst);
                }
                while !self.is_watched.load(Ordering::SeqCst) {
                    std::thread::park();
                }
            }
        }
    }

    fn probe_pools(&self) {
        let now = self.now();
        let pools = self.pools();
        for pool in &pools {
            pool.probe(now);
        }
        let current = self.current.load(Ordering::Relaxed);
        let healthy = pools.iter().position(|pool| !pool.is_blocked(now));
        match healthy {
            Some(place) if place != current => {
                self.current.store(place, Ordering::Relaxed);
                move_work(&pools, &pools[place]);
            }
            None if pools.len() < POOLS => self.take_over(&pools),
            Some(_) | None => {}
        }
    }

    fn take_over(&self, blocked: &[Arc<Pool>]) {
        let number = blocked.len();
        tracing::warn!(
            target: "toolpact",
            pool = number,
            "tools block every thread of the pool; opening another"
        );
        if let Some(pool) = Pool::open(number) {
            let mut pools = self.pools.write().unwrap_or_else(PoisonError::into_inner);
            pools.push(Arc::clone(&pool));
            drop(pools);
            self.current.store(number, Ordering::Relaxed);
            move_work(blocked, &pool);
        }
    }
}

/// Work that has not begun moves to this pool.
fn move_work(pools: &[Arc<Pool>], to: &Arc<Pool>) {
    let others = pools.iter().filter(|pool| !Arc::ptr_eq(pool, to));
    others.for_each(|pool| pool.queue().move_to(to.queue()));
}

/// Work that is not done yet.
pub(super) struct Busy(&'static Executor);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::SeqCst);
    }
}
