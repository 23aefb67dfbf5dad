//! The span of a message, with OpenTelemetry's names, and the trace it is part of.

use toolpact::core::TraceContext;
use toolpact::observe::trace::{self, Incoming};
use tracing::Span;
use tracing::field::{Empty, display};

use super::caller::Described;
use super::dispatch::{Answer, PendingAnswer};
use crate::rpc::{ErrorCode, Id, Method, Response};
use crate::version::Version;

/// How a message came in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transport {
    /// What OpenTelemetry calls it: `tcp` or `pipe`.
    pub(crate) name: &'static str,
    /// The trace that its headers name.
    pub(crate) trace: Option<TraceContext>,
}

impl Transport {
    /// Standard input.
    pub(crate) fn pipe() -> Self {
        Self {
            name: "pipe",
            trace: None,
        }
    }

    /// A request of HTTP with these headers.
    pub(crate) fn http(headers: &http::HeaderMap) -> Self {
        Self {
            name: "tcp",
            trace: toolpact_http::trace_of(headers),
        }
    }
}

/// A request that is answered now. What its `_meta` says of a trace is nearer to it than what headers say.
pub(super) fn begin(
    id: &Id,
    method: &Method,
    described: &Described<'_>,
    from: Transport,
) -> Incoming {
    let method = known(method);
    let span = tracing::info_span!(
        target: trace::SPANS,
        "mcp",
        otel.name = method,
        otel.kind = "server",
        mcp.method.name = method,
        mcp.protocol.version = Empty,
        jsonrpc.request.id = id.text(),
        network.transport = from.name,
        gen_ai.operation.name = Empty,
        gen_ai.tool.name = Empty,
        rpc.response.status_code = Empty,
        error.type = Empty,
        otel.status_code = Empty,
    );
    Incoming::new(span, described.trace().or(from.trace))
}

/// Names of methods are names of spans, of which there should be few: strangers make none up.
fn known(method: &Method) -> &str {
    const FORWARDED: [&str; 8] = [
        "completion/complete",
        "prompts/get",
        "prompts/list",
        "resources/list",
        "resources/read",
        "resources/subscribe",
        "resources/templates/list",
        "resources/unsubscribe",
    ];
    match method {
        Method::Other(name) => FORWARDED
            .into_iter()
            .find(|known| *known == &**name)
            .unwrap_or("other"),
        method => method.name(),
    }
}

/// Notes the version that the client speaks.
pub(super) fn speaks(span: &Span, version: Version) {
    span.record("mcp.protocol.version", version.name());
}

/// Notes the tool, once it is known that there is one of this name. A span that was entered keeps its name.
pub(super) fn calls(span: &Span, tool: &str) {
    if !span.is_disabled() {
        span.record("otel.name", display(format_args!("tools/call {tool}")));
        span.record("gen_ai.operation.name", "execute_tool");
        span.record("gen_ai.tool.name", tool);
    }
}

/// Notes that the result of a tool says that it failed.
pub(super) fn tool_failed() {
    if trace::exporter().is_some() {
        fail(&Span::current(), "tool_error");
    }
}

/// The answer, with whatever it takes to make it inside of the span.
pub(super) fn around(incoming: Incoming, answer: Answer) -> Answer {
    if incoming.is_untraced() {
        return answer;
    }
    match answer {
        Answer::Ready(response) => {
            end(incoming.span(), &response);
            Answer::Ready(response)
        }
        Answer::Pending(answer) => Answer::Pending(traced(incoming, answer)),
        Answer::Page(answer) => Answer::Page(traced(incoming, answer)),
        // One that goes on for hours is no span.
        subscription @ Answer::Subscription(_) => subscription,
    }
}

fn traced(incoming: Incoming, answer: PendingAnswer) -> PendingAnswer {
    let span = incoming.span().clone();
    Box::pin(incoming.around(async move {
        let response = answer.await;
        if let Some(response) = &response {
            end(&span, response);
        }
        response
    }))
}

/// Of a server, what a client did wrong is no error.
pub(super) fn end(span: &Span, response: &Response) {
    let Some(code) = response.error.map(ErrorCode::number) else {
        return;
    };
    span.record("rpc.response.status_code", display(code));
    if code == -32603 || (-32099..=-32000).contains(&code) {
        fail(span, &code.to_string());
    }
}

fn fail(span: &Span, kind: &str) {
    span.record("error.type", kind);
    span.record("otel.status_code", "ERROR");
}
