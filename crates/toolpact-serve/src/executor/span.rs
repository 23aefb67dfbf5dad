//! The span of a request to another server, with OpenTelemetry's names, and the trace it is part of.

use http::HeaderMap;
use toolpact::ToolError;
use toolpact::observe::trace;
use tracing::Span;
use tracing::field::Empty;

use super::request::Request;
use super::send::Answer;

/// The host alone: paths and queries may hold secrets, and what users say.
pub(super) fn new(request: &Request) -> Span {
    tracing::info_span!(
        target: trace::SPANS,
        "http",
        otel.name = request.method.as_str(),
        otel.kind = "client",
        http.request.method = request.method.as_str(),
        server.address = request.url.host_str(),
        server.port = request.url.port_or_known_default().map(i64::from),
        url.scheme = request.url.scheme(),
        http.response.status_code = Empty,
        error.type = Empty,
        otel.status_code = Empty,
    )
}

/// Adds the trace that the request is part of.
pub(super) fn pass_on(headers: &mut HeaderMap) {
    if let Some(trace) = trace::outgoing() {
        toolpact_http::add_trace(headers, &trace);
    }
}

/// Of a client, every status from 400 on is an error.
pub(super) fn end(span: &Span, answer: &Result<Answer, ToolError>) {
    let status = answer.as_ref().ok().map(|answer| answer.status);
    if let Some(status) = status {
        span.record("http.response.status_code", i64::from(status.as_u16()));
    }
    let failed = status.filter(|status| status.as_u16() >= 400);
    match (failed, answer) {
        (Some(status), _) => span.record("error.type", status.as_str()),
        (None, Err(error)) => span.record("error.type", error.code()),
        (None, Ok(_)) => return,
    };
    span.record("otel.status_code", "ERROR");
}
