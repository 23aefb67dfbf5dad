//! The span of a call on another server, with OpenTelemetry's names, and the trace it is part of.

use http::HeaderMap;
use rmcp::model::{ClientJsonRpcMessage, GetMeta as _, JsonRpcMessage};
use rmcp::service::PeerRequestOptions;
use serde_json::Value as Json;
use toolpact::ToolError;
use toolpact::core::TraceContext;
use toolpact::core::trace::{TRACEPARENT, TRACESTATE};
use toolpact::observe::trace;
use tracing::Span;
use tracing::field::Empty;

use crate::place::Place;

/// A call of a tool.
pub(crate) fn span(place: &Place, tool: &str) -> Span {
    let (address, transport) = match place {
        Place::Command(_) => (None, "pipe"),
        Place::Http(address) => (address.host_and_port(), "tcp"),
    };
    let port = address.as_ref().and_then(|(_, port)| *port);
    let address = address.as_ref().map(|(host, _)| &**host);
    tracing::info_span!(
        target: trace::SPANS,
        "mcp",
        otel.name = format_args!("tools/call {tool}"),
        otel.kind = "client",
        mcp.method.name = "tools/call",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = tool,
        network.transport = transport,
        server.address = address,
        server.port = port.map(i64::from),
        error.type = Empty,
        otel.status_code = Empty,
    )
}

pub(crate) fn end<T>(span: &Span, result: &Result<T, ToolError>) {
    if let Err(error) = result
        && !error.is_answer_pending()
    {
        span.record("error.type", error.code());
        span.record("otel.status_code", "ERROR");
    }
}

/// Adds the trace that a request is part of.
pub(crate) fn pass_on(mut options: PeerRequestOptions) -> PeerRequestOptions {
    if let Some(trace) = trace::outgoing() {
        let meta = options.meta.get_or_insert_default();
        for (name, value) in trace.entries() {
            meta.insert(name.to_owned(), value.into());
        }
    }
    options
}

/// The same for HTTP: it is sent by a task that does not know for whom.
pub(crate) fn add_header(headers: &mut HeaderMap, message: &ClientJsonRpcMessage) {
    let JsonRpcMessage::Request(request) = message else {
        return;
    };
    let meta = request.request.get_meta();
    let text = |name| meta.get(name).and_then(Json::as_str);
    let trace = text(TRACEPARENT).and_then(|parent| TraceContext::read(parent, text(TRACESTATE)));
    if let Some(trace) = trace {
        toolpact_http::add_trace(headers, &trace);
    }
}
