//! Work that takes long and that no call waits for, such as reading a long list of tools.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// Most threads at once. More work waits.
const THREADS: usize = 4;

static RUNTIME: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread()
        .max_blocking_threads(THREADS)
        .thread_name("toolpact-background")
        .on_thread_start(give_way)
        .build();
    runtime
        .inspect_err(|error| tracing::warn!(%error, "long work has no threads of its own"))
        .ok()
});

/// Runs this on a thread for long work. On Linux, these threads give way to those that answer requests.
///
/// ```
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let sum = toolpact::background::spawn(|| (1..=1000_u64).sum::<u64>());
/// assert_eq!(sum.await?, 500_500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    match &*RUNTIME {
        Some(runtime) => runtime.spawn_blocking(work),
        None => tokio::task::spawn_blocking(work),
    }
}

/// Elsewhere, this would be of the whole process.
#[cfg(target_os = "linux")]
fn give_way() {
    // About a tenth of the time if others want all of it.
    const NICE: i32 = 10;
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "long work does not give way");
    }
}

#[cfg(not(target_os = "linux"))]
fn give_way() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    /// Only these threads, and not the process.
    #[tokio::test]
    async fn long_work_gives_way() {
        let nice = || rustix::process::nice(0).ok();
        let own = nice();
        let there = super::spawn(nice).await.ok().flatten();
        assert_eq!(there, own.map(|own| (own + 10).min(19)));
        assert_eq!(nice(), own);
    }
}
