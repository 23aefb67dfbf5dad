//! Takes what waits, and sends it, for as long as the process runs.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::console;
use crate::queue::Queue;
use crate::sender::Sender;
use crate::signal::Signal;

/// How a signal is written.
pub(crate) trait Encode: Send + Sync {
    type Item: Send;

    const SIGNAL: Signal;

    /// The request that OTLP has for a batch.
    fn encode(&self, batch: Vec<Self::Item>) -> Vec<u8>;

    /// How many of a batch the collector has refused, by its answer.
    fn rejected(&self, answer: &[u8]) -> u64;

    /// Lines for people.
    fn lines(&self, batch: Vec<Self::Item>) -> Vec<String>;
}

/// Where batches go.
pub(crate) enum Outlet {
    Console,
    Collector(Box<Sender>),
}

/// Exports what is in a queue.
pub(crate) struct Batcher<E: Encode> {
    pub(crate) queue: Arc<Queue<E::Item>>,
    pub(crate) encode: E,
    pub(crate) outlet: Outlet,
    pub(crate) report: Report,
}

impl<E: Encode> Batcher<E> {
    /// Until it is stopped, and then until nothing waits any more.
    pub(crate) async fn run(mut self, stop: CancellationToken) {
        loop {
            let is_stopped = stop.run_until_cancelled(self.queue.ready()).await.is_none();
            loop {
                let batch = self.queue.take();
                if batch.is_empty() {
                    break;
                }
                self.export(batch).await;
            }
            if is_stopped {
                return;
            }
        }
    }

    async fn export(&mut self, batch: Vec<E::Item>) {
        let sender = match &self.outlet {
            Outlet::Console => return console::write(&self.encode.lines(batch)),
            Outlet::Collector(sender) => sender,
        };
        let count = u64::try_from(batch.len()).unwrap_or(u64::MAX);
        let sent = sender.send(self.encode.encode(batch)).await;
        match &sent {
            Ok(answer) => self.queue.lose(self.encode.rejected(answer)),
            Err(_) => self.queue.lose(count),
        }
        let result = sent.map(drop);
        self.report
            .note(E::SIGNAL, &sender.place(), &result, self.queue.lost());
    }
}

/// Says once that something is lost, and once that it is not any more.
#[derive(Debug, Default)]
pub(crate) struct Report {
    is_failing: bool,
    /// How many were lost when that was said last.
    said: u64,
}

impl Report {
    pub(crate) fn note(
        &mut self,
        signal: Signal,
        place: &str,
        sent: &Result<(), String>,
        lost: u64,
    ) {
        match sent {
            Err(why) if !self.is_failing => {
                tracing::warn!(
                    target: TARGET,
                    "the collector at {place} takes no {signal}: {why}; calls go on, and what is lost is counted"
                );
                (self.is_failing, self.said) = (true, lost);
            }
            Ok(()) if self.is_failing => {
                tracing::info!(
                    target: TARGET,
                    lost,
                    "the collector at {place} takes {signal} again"
                );
                (self.is_failing, self.said) = (false, lost);
            }
            Ok(()) if lost > 0 && self.said == 0 => {
                tracing::warn!(
                    target: TARGET,
                    lost,
                    "the collector at {place} does not take all {signal}; what is lost is counted"
                );
                self.said = lost;
            }
            _ => {}
        }
    }
}

/// What we say about the export itself is not exported.
pub(crate) const TARGET: &str = "toolpact::telemetry";
