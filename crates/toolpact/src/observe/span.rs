//! `tracing` spans with OpenTelemetry's names for tool calls.

use tracing::Instrument as _;
use tracing::field::Empty;

use super::trace::{self, Incoming, exporter};
use crate::define::Work;
use crate::registry::RegisteredTool;
use crate::{ToolError, session::SessionState};

pub(crate) struct Span(tracing::Span);

impl Span {
    pub(crate) fn new(
        session: &SessionState,
        entry: &RegisteredTool,
        call_id: Option<&str>,
    ) -> Self {
        let contract = entry.contract();
        let principal = &session.principal;
        let span = tracing::info_span!(
            target: "toolpact",
            "execute_tool",
            otel.name = format_args!("execute_tool {}", contract.name()),
            otel.kind = "internal",
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = contract.name().as_str(),
            gen_ai.tool.description = contract.description(),
            gen_ai.tool.type = "function",
            gen_ai.tool.call.id = call_id,
            enduser.id = (!principal.is_anonymous()).then(|| principal.name()),
            toolpact.tenant = principal.tenant(),
            toolpact.source = Some(entry.toolset()).filter(|toolset| !toolset.is_empty()),
            toolpact.contract.digest = entry.digest(),
            toolpact.outcome = Empty,
            error.type = Empty,
            otel.status_code = Empty,
        );
        trace::adopt_root(&span);
        Self(span)
    }

    /// Whether no subscriber wants it.
    pub(crate) fn is_disabled(&self) -> bool {
        self.0.is_disabled()
    }

    pub(crate) fn around<F: Future>(&self, steps: F) -> impl Future<Output = F::Output> {
        steps.instrument(self.0.clone())
    }

    /// `outcome` is what came of it, if it succeeded. To find out may mean to read the result, so it is asked for
    /// only if the span goes somewhere.
    pub(crate) fn end<T>(
        &self,
        result: &Result<T, ToolError>,
        outcome: impl FnOnce(&T) -> &'static str,
    ) {
        match result {
            Err(error) if error.is_answer_pending() => {
                self.0.record("toolpact.outcome", "ASKED");
            }
            Err(error) => {
                self.0.record("toolpact.outcome", error.code());
                self.0.record("error.type", error.code());
                self.0.record("otel.status_code", "ERROR");
            }
            Ok(done) if exporter().is_some() => {
                self.0.record("toolpact.outcome", outcome(done));
            }
            Ok(_) => {}
        }
    }
}

/// The work of a tool inside of the span of its call, wherever it runs.
pub(crate) fn instrumented(work: Work) -> Work {
    let current = Incoming::current();
    match current.is_untraced() {
        true => work,
        false => Box::pin(current.around(work)),
    }
}
