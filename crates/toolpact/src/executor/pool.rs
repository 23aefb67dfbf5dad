//! A pool of threads, and a probe that tells whether it is blocked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};

use super::queue::Queue;

/// How long a probe may go unanswered.
const PROBE_TIMEOUT: Duration = Duration::from_millis(200);
/// Most threads of a pool for tools that block.
const THREADS: usize = 512;

/// Threads that tools share.
pub(super) struct Pool {
    handle: Handle,
    /// Never shut down, because it may be blocked forever.
    _runtime: std::mem::ManuallyDrop<Runtime>,
    queue: Arc<Queue>,
    /// When the pending probe was sent, in milliseconds since the executor started, plus one; 0 if none
    /// is pending.
    probed_at: Arc<AtomicU64>,
}

impl Pool {
    pub(super) fn open(number: usize) -> Option<Arc<Self>> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let (threads, name) = (cores.max(2), format!("toolpact-{number}"));
        let runtime = Builder::new_multi_thread()
            .worker_threads(threads)
            .max_blocking_threads(THREADS)
            .thread_name(&name)
            .enable_all()
            .build();
        let runtime = runtime
            .inspect_err(
                |error| tracing::error!(target: "toolpact", %error, "no threads for tools"),
            )
            .ok()?;
        Some(Arc::new(Self {
            queue: Queue::open(&name, threads, runtime.handle())?,
            handle: runtime.handle().clone(),
            _runtime: std::mem::ManuallyDrop::new(runtime),
            probed_at: Arc::new(AtomicU64::new(0)),
        }))
    }

    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    pub(super) fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Sends a probe, unless one is pending. It begins and goes on as work does.
    pub(super) fn probe(&self, now: u64) {
        if self.probed_at.load(Ordering::Relaxed) == 0 {
            self.probed_at.store(now + 1, Ordering::Relaxed);
            let probed_at = Arc::clone(&self.probed_at);
            self.queue.put_probe(Box::pin(async move {
                tokio::task::yield_now().await;
                probed_at.store(0, Ordering::Relaxed);
            }));
        }
    }

    pub(super) fn is_blocked(&self, now: u64) -> bool {
        let probed_at = self.probed_at.load(Ordering::Relaxed);
        probed_at != 0 && u128::from(now.saturating_sub(probed_at - 1)) > PROBE_TIMEOUT.as_millis()
    }
}
