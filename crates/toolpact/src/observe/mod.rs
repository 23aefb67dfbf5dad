//! Observability: counters, latencies, spans, the call log.

mod gauges;
mod log;
mod logged_call;
mod metrics;
mod read_lines;
mod redact;
mod result_record;
mod span;

pub(crate) use gauges::Gauges;
pub use log::{CallLog, CallRecord, JsonLines};
pub use logged_call::LoggedCall;
pub use metrics::{Latency, Metrics};
pub use read_lines::read_lines;
pub use redact::Redact;
pub use result_record::ResultRecord;
pub(crate) use span::{Span, instrumented};
