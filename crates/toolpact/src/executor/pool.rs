//! Threads, and whether they answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};

/// How long a pool may be silent.
const PATIENCE: Duration = Duration::from_millis(200);
/// Most threads of a pool for tools that block.
const THREADS: usize = 512;

/// Threads that tools share.
pub(super) struct Pool {
    handle: Handle,
    /// Never closed, because it may be blocked for ever.
    _runtime: std::mem::ManuallyDrop<Runtime>,
    /// When it was asked to answer, in milliseconds since the executor opened, plus one; 0 if it has
    /// answered.
    asked: Arc<AtomicU64>,
}

impl Pool {
    pub(super) fn open(number: usize) -> Option<Arc<Self>> {
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

    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Asks for a sign of life, unless one is awaited.
    pub(super) fn ask(&self, now: u64) {
        if self.asked.load(Ordering::Relaxed) == 0 {
            self.asked.store(now + 1, Ordering::Relaxed);
            let asked = Arc::clone(&self.asked);
            self.handle
                .spawn(async move { asked.store(0, Ordering::Relaxed) });
        }
    }

    pub(super) fn is_silent(&self, now: u64) -> bool {
        let asked = self.asked.load(Ordering::Relaxed);
        asked != 0 && u128::from(now.saturating_sub(asked - 1)) > PATIENCE.as_millis()
    }
}
