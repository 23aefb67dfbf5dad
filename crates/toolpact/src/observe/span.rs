//! `tracing` spans with OpenTelemetry's names for tool calls.

use toolpact_core::contract::Contract;
use tracing::Instrument as _;
use tracing::field::Empty;

use crate::ToolError;
use crate::define::Work;

pub(crate) struct Span(tracing::Span);

impl Span {
    pub(crate) fn new(contract: &Contract, call_id: Option<&str>) -> Self {
        Self(tracing::info_span!(
            target: "toolpact",
            "execute_tool",
            otel.name = format_args!("execute_tool {}", contract.name()),
            otel.kind = "internal",
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = contract.name().as_str(),
            gen_ai.tool.description = contract.description(),
            gen_ai.tool.type = "function",
            gen_ai.tool.call.id = call_id,
            error.type = Empty,
            otel.status_code = Empty,
        ))
    }

    /// Whether no subscriber wants it.
    pub(crate) fn is_disabled(&self) -> bool {
        self.0.is_disabled()
    }

    pub(crate) fn around<F: Future>(&self, steps: F) -> impl Future<Output = F::Output> {
        steps.instrument(self.0.clone())
    }

    pub(crate) fn end<T>(&self, result: &Result<T, ToolError>) {
        if let Err(error) = result
            && !error.is_answer_pending()
        {
            self.0.record("error.type", error.code());
            self.0.record("otel.status_code", "ERROR");
        }
    }
}

/// The work of a tool inside of the span of its call, wherever it runs.
pub(crate) fn instrumented(work: Work) -> Work {
    let span = tracing::Span::current();
    match span.is_disabled() {
        true => work,
        false => Box::pin(work.instrument(span)),
    }
}
