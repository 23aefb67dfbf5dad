//! Between the spans of this process and those of others.

use std::str::FromStr as _;
use std::sync::Arc;

use opentelemetry::Context;
use opentelemetry::trace::{
    SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState,
};
use toolpact::core::TraceContext;
use toolpact::observe::trace::Exporter;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use crate::queues::Queues;

/// What the rest of the process knows of the export.
pub(crate) struct Propagation(pub(crate) Arc<Queues>);

impl Exporter for Propagation {
    fn set_parent(&self, span: &tracing::Span, parent: &TraceContext) {
        if let Some(parent) = read(parent) {
            let context = Context::new().with_remote_span_context(parent);
            // Fails for a span that is not exported.
            let _ = span.set_parent(context);
        }
    }

    fn context_of(&self, span: &tracing::Span) -> Option<TraceContext> {
        // A span that is not exported may be inside of one that is.
        let own = span.context();
        written(own.span().span_context())
            .or_else(|| written(Context::current().span().span_context()))
    }

    fn lost(&self) -> Vec<(&'static str, u64)> {
        self.0.lost()
    }
}

fn read(trace: &TraceContext) -> Option<SpanContext> {
    let flags = match trace.is_sampled() {
        true => TraceFlags::SAMPLED,
        false => TraceFlags::default(),
    };
    Some(SpanContext::new(
        TraceId::from_hex(trace.trace_id()).ok()?,
        SpanId::from_hex(trace.span_id()).ok()?,
        flags,
        true,
        TraceState::from_str(trace.state().unwrap_or_default()).unwrap_or_default(),
    ))
}

fn written(span: &SpanContext) -> Option<TraceContext> {
    if !span.is_valid() {
        return None;
    }
    let flags = span.trace_flags() & TraceFlags::SAMPLED;
    let parent = format!("00-{}-{}-{flags:02x}", span.trace_id(), span.span_id());
    let state = span.trace_state().header();
    TraceContext::read(&parent, Some(&state))
}
