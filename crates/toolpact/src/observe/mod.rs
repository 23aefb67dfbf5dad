//! Observability: counters, latencies, spans, the call log.

mod gauges;
mod log;
mod metrics;
mod redact;
mod span;

pub(crate) use gauges::Gauges;
pub use log::{CallLog, CallRecord, JsonLines};
pub use metrics::{Latency, Metrics};
pub use redact::Redact;
pub(crate) use span::{Span, instrumented};
