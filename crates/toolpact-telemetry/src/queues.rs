use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use opentelemetry_sdk::trace::SpanData;

use crate::logs::Line;
use crate::queue::Queue;
use crate::settings::{Batches, Settings};
use crate::signal::Signal;

/// The queues of what is exported, and how much of it was lost.
pub(crate) struct Queues {
    pub(crate) spans: Option<Arc<Queue<SpanData>>>,
    pub(crate) lines: Option<Arc<Queue<Line>>>,
    /// How often metrics were not taken; `None` if there are none.
    pub(crate) metrics: Option<AtomicU64>,
}

impl Queues {
    pub(crate) fn new(settings: &Settings) -> Self {
        fn queue<T>(is_on: bool, batches: Batches) -> Option<Arc<Queue<T>>> {
            is_on.then(|| Arc::new(Queue::new(batches)))
        }
        Self {
            spans: queue(settings.traces.is_some(), settings.span_batches),
            lines: queue(settings.logs.is_some(), settings.log_batches),
            metrics: settings.metrics.as_ref().map(|_| AtomicU64::new(0)),
        }
    }

    pub(crate) fn lost(&self) -> Vec<(&'static str, u64)> {
        let spans = self.spans.as_ref().map(|queue| queue.lost());
        let lines = self.lines.as_ref().map(|queue| queue.lost());
        let metrics = self
            .metrics
            .as_ref()
            .map(|lost| lost.load(Ordering::Relaxed));
        let all = Signal::ALL.into_iter().zip([spans, metrics, lines]);
        all.filter_map(|(signal, lost)| Some((signal.name(), lost?)))
            .collect()
    }
}
