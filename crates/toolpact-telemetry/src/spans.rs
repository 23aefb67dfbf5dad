//! Spans that have ended.

use std::sync::Arc;
use std::time::Duration;

use opentelemetry::Context;
use opentelemetry::trace::{SpanId, Status};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::trace::tonic::group_spans_by_resource_and_scope;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span, SpanData, SpanProcessor};
use prost::Message as _;

use crate::batcher::Encode;
use crate::console;
use crate::queue::Queue;
use crate::signal::Signal;

/// Puts spans into the queue.
#[derive(Debug)]
pub(crate) struct SpanQueue(pub(crate) Arc<Queue<SpanData>>);

impl SpanProcessor for SpanQueue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if span.span_context.is_sampled() {
            self.0.push(span);
        }
    }

    // The queue is emptied by who made it.
    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Writes spans.
pub(crate) struct Spans(pub(crate) ResourceAttributesWithSchema);

impl Encode for Spans {
    type Item = SpanData;

    const SIGNAL: Signal = Signal::Traces;

    fn encode(&self, batch: Vec<SpanData>) -> Vec<u8> {
        let resource_spans = group_spans_by_resource_and_scope(batch, &self.0);
        ExportTraceServiceRequest { resource_spans }.encode_to_vec()
    }

    fn rejected(&self, answer: &[u8]) -> u64 {
        let answer = ExportTraceServiceResponse::decode(answer).ok();
        let rejected = answer.and_then(|answer| Some(answer.partial_success?.rejected_spans));
        rejected
            .and_then(|rejected| u64::try_from(rejected).ok())
            .unwrap_or(0)
    }

    fn lines(&self, batch: Vec<SpanData>) -> Vec<String> {
        batch.iter().map(line).collect()
    }
}

fn line(span: &SpanData) -> String {
    let took = span
        .end_time
        .duration_since(span.start_time)
        .unwrap_or_default();
    let status = match &span.status {
        Status::Error { .. } => " ERROR",
        _ => "",
    };
    let parent = match span.parent_span_id {
        SpanId::INVALID => String::new(),
        parent => format!(" parent={parent}"),
    };
    let (trace, id) = (span.span_context.trace_id(), span.span_context.span_id());
    format!(
        "span {} {:?} {took:?}{status} trace={trace} span={id}{parent}{}",
        span.name,
        span.span_kind,
        console::attributes(&span.attributes)
    )
}
