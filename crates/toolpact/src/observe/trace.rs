//! The traces of others that calls are part of, from whoever calls to whatever a tool asks.
//!
//! A server takes the [`TraceContext`] of a request and runs what it does for it in
//! [`Incoming::around`]; a tool that asks somebody else passes [`outgoing`] on. Without an [`Exporter`]
//! that is what the caller sent, so that traces stay whole although nothing of them is recorded here.

use std::future::Future;
use std::sync::OnceLock;

use toolpact_core::TraceContext;
use tracing::Instrument as _;
use tracing::Span;

/// The target of spans that are for exporters only: requests, and what is asked of others. No log needs
/// them.
pub const SPANS: &str = "toolpact::trace";

/// Who records spans and sends them elsewhere. A process has one at most.
pub trait Exporter: Send + Sync + 'static {
    /// Makes a span, which has not been entered yet, the child of a span elsewhere.
    fn set_parent(&self, span: &Span, parent: &TraceContext);

    /// What identifies a span elsewhere; `None` if it is not recorded, nor are those around it.
    fn context_of(&self, span: &Span) -> Option<TraceContext>;

    /// How many spans, lines and the like were lost, by what they are.
    fn lost(&self) -> Vec<(&'static str, u64)>;
}

static EXPORTER: OnceLock<Box<dyn Exporter>> = OnceLock::new();

tokio::task_local! {
    static TRACE: Option<TraceContext>;
}

/// Sets who records spans. The first stays.
pub fn set_exporter(exporter: impl Exporter) -> bool {
    EXPORTER.set(Box::new(exporter)).is_ok()
}

/// Who records spans.
pub fn exporter() -> Option<&'static dyn Exporter> {
    EXPORTER.get().map(|exporter| &**exporter)
}

/// What to pass on to whoever is asked now: the current span if it is recorded, else what the caller sent.
#[must_use]
pub fn outgoing() -> Option<TraceContext> {
    let current = exporter().and_then(|exporter| exporter.context_of(&Span::current()));
    current.or_else(incoming)
}

/// What the caller sent.
fn incoming() -> Option<TraceContext> {
    TRACE.try_with(Clone::clone).ok().flatten()
}

/// Makes a span that is about to be the outermost of this process a part of the trace of the caller.
pub(super) fn adopt_root(span: &Span) {
    let Some(exporter) = exporter().filter(|_| !span.is_disabled()) else {
        return;
    };
    if let (true, Some(trace)) = (Span::current().is_none(), incoming()) {
        exporter.set_parent(span, &trace);
    }
}

/// A request that is answered: its span, and the trace it is part of.
#[derive(Debug, Clone)]
pub struct Incoming {
    span: Span,
    trace: Option<TraceContext>,
}

impl Incoming {
    /// A request with a span of its own, which has not been entered yet.
    #[must_use]
    pub fn new(span: Span, trace: Option<TraceContext>) -> Self {
        if let (Some(exporter), Some(trace), false) = (exporter(), &trace, span.is_disabled()) {
            exporter.set_parent(&span, trace);
        }
        Self { span, trace }
    }

    /// What runs now is for. What it spawns has to be put [around](Self::around) again.
    #[must_use]
    pub fn current() -> Self {
        Self {
            span: Span::current(),
            trace: incoming(),
        }
    }

    /// Whether nobody wants to know of it, so that nothing needs to be put around its work.
    #[must_use]
    pub fn is_untraced(&self) -> bool {
        self.span.is_disabled() && self.trace.is_none()
    }

    /// Its span.
    #[must_use]
    pub fn span(&self) -> &Span {
        &self.span
    }

    /// Runs the work inside of the span and of the trace.
    pub fn around<F: Future>(self, work: F) -> impl Future<Output = F::Output> {
        TRACE.scope(self.trace, work.instrument(self.span))
    }
}
