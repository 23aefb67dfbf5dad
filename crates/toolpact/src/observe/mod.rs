//! Observability: counters, latencies, spans, traces, the call log.

mod details;
mod gauges;
mod heard;
mod invocation;
mod line;
mod log;
mod logged_call;
mod metrics;
mod read_lines;
mod reading;
mod redact;
mod result_record;
mod span;
pub mod trace;

pub use details::{CallDetails, Detail};
pub(crate) use gauges::Gauges;
pub(crate) use heard::{Heard, HeardItems};
pub(crate) use invocation::next_invocation;
pub(crate) use log::ResultSource;
pub use log::{CALLER_GONE, CallLog, CallRecord, Committing, JsonLines};
pub use logged_call::{LoggedCall, LoggedPrincipal};
pub use metrics::{Latency, Metrics};
pub use read_lines::read_lines;
pub use reading::Reading;
pub use redact::{Redact, is_redacted};
pub use result_record::ResultRecord;
pub(crate) use span::{Span, instrumented};
