//! The span of a program, with OpenTelemetry's names, and the trace it is part of.

use toolpact_core::TraceContext;
use tracing::Span;
use tracing::field::Empty;

use super::{CommandFault, ProcessGroup};
use crate::observe::trace;

/// The program alone: its arguments may hold secrets.
pub(super) fn new(program: &str) -> Span {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    tracing::info_span!(
        target: trace::SPANS,
        "program",
        otel.name = name,
        otel.kind = "client",
        process.executable.name = name,
        process.pid = Empty,
        process.exit.code = Empty,
        error.type = Empty,
        otel.status_code = Empty,
    )
}

/// The variables by which the program can go on with the trace.
pub(super) fn environment() -> impl Iterator<Item = (String, String)> {
    let trace = trace::outgoing();
    let entries = trace.iter().flat_map(TraceContext::entries);
    let entries = entries.map(|(name, value)| (name.to_ascii_uppercase(), value.to_owned()));
    entries.collect::<Vec<_>>().into_iter()
}

pub(super) fn started(group: &mut ProcessGroup) {
    if let Some(id) = group.child().and_then(|child| child.id()) {
        // The layer of OpenTelemetry writes numbers of this type only as numbers.
        Span::current().record("process.pid", i64::from(id));
    }
}

pub(super) fn end(span: &Span, fault: Option<&CommandFault>) {
    let status = match fault {
        None => Some(0),
        Some(CommandFault::Exit { status, .. }) => Some(*status),
        Some(_) => None,
    };
    if let Some(status) = status {
        span.record("process.exit.code", status);
    }
    if let Some(fault) = fault {
        span.record("error.type", fault.code());
        span.record("otel.status_code", "ERROR");
    }
}
