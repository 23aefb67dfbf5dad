//! The end of a server: what runs is waited for, and then it is cut.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolpact::Registry;

/// How long the answers of calls that were cut may take to be written.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(1);

/// How often it is looked whether anything runs.
const LOOK: Duration = Duration::from_millis(20);

/// What a server waits for that was told to stop.
pub(crate) struct Ending<'a> {
    registry: &'a Registry,
    most: Duration,
    now: &'a CancellationToken,
}

impl<'a> Ending<'a> {
    pub(crate) fn new(registry: &'a Registry, most: Duration, now: &'a CancellationToken) -> Self {
        Self {
            registry,
            most,
            now,
        }
    }

    /// Waits until everything is done, or may not go on, and cuts what runs then: it is answered
    /// with an error.
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
    pub(crate) async fn nothing_runs(&self) {
        loop {
            tokio::time::sleep(LOOK).await;
            if self.registry.running() == 0 {
                return;
            }
        }
    }
}
