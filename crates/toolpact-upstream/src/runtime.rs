//! The threads that speak to other servers. What they send may be long, and rmcp reads it where it arrives: that
//! must not be a thread on which requests are answered.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Handle, Runtime};

/// Two at least, so that one server that sends much does not keep the others waiting.
const THREADS: std::ops::RangeInclusive<usize> = 2..=4;

static RUNTIME: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = Builder::new_multi_thread()
        .worker_threads(cores.clamp(*THREADS.start(), *THREADS.end()))
        .thread_name("toolpact-upstream")
        .enable_all()
        .build();
    runtime
        .inspect_err(|error| tracing::warn!(target: "toolpact::mcp", %error, "other servers have no threads of their own"))
        .ok()
});

/// Where connections live. If no thread can be started, that is where the caller is.
pub(crate) fn runtime() -> Handle {
    let own = RUNTIME.as_ref().map(|runtime| runtime.handle().clone());
    own.unwrap_or_else(Handle::current)
}
