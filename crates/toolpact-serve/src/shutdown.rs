//! The end of a server: running calls are waited for, and then cancelled.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolpact::Registry;

/// How long the answers of cancelled calls may take to be written.
pub(crate) const FLUSH_TIME: Duration = Duration::from_secs(1);

/// How often to check whether calls run.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// What a server that was told to stop waits for.
pub(crate) struct Shutdown<'a> {
    registry: &'a Registry,
    most: Duration,
    now: &'a CancellationToken,
}

impl<'a> Shutdown<'a> {
    pub(crate) fn new(registry: &'a Registry, most: Duration, now: &'a CancellationToken) -> Self {
        Self {
            registry,
            most,
            now,
        }
    }

    /// Waits until `done`, but not longer than allowed, and cancels the calls that still run: they are
    /// answered with an error.
    pub(crate) async fn wait(&self, done: impl Future<Output = ()>) {
        let (calls, most_ms) = (self.registry.running(), self.most.as_millis());
        match calls {
            0 => tracing::info!("the server comes to its end; no calls run"),
            _ => tracing::info!(
                calls,
                most_ms,
                "the server comes to its end; calls are waited for"
            ),
        }
        tokio::select! {
            () = done => {}
            () = tokio::time::sleep(self.most) => {}
            () = self.now.cancelled() => {}
        }
        let calls = self.registry.running();
        if calls > 0 {
            tracing::warn!(calls, "calls were cut, and are answered with an error");
        }
        self.registry.close();
    }

    /// Until no calls run. One that was just read may need a moment to begin.
    pub(crate) async fn all_calls_ended(&self) {
        loop {
            tokio::time::sleep(POLL_INTERVAL).await;
            if self.registry.running() == 0 {
                return;
            }
        }
    }
}
