//! Observability: counters, latencies, spans, the call log.

mod gauges;
mod log;
mod metrics;
mod record;
mod redact;
mod span;

pub(crate) use gauges::Gauges;
pub use log::{CallLog, CallRecord, JsonLines};
pub use metrics::{Latency, Metrics};
pub(crate) use record::record;
pub use redact::Redact;
pub(crate) use span::{Span, instrumented};
