//! OpenTelemetry for toolpact: traces, metrics and logs over OTLP (`http/protobuf`), switched on and set by
//! the standard `OTEL_*` variables alone.
//!
//! A collector that is down or slow never blocks, slows or fails a call: what is to be exported waits in
//! queues that are bounded, a thread of its own sends it, and what is lost is counted.
//!
//! ```no_run
//! use toolpact_telemetry::Telemetry;
//! use tracing_subscriber::layer::SubscriberExt as _;
//! use tracing_subscriber::util::SubscriberInitExt as _;
//!
//! let telemetry = Telemetry::from_env();
//! tracing_subscriber::registry().with(telemetry.layer(tracing::Level::INFO)).init();
//! telemetry.announce();
//! // … serve …
//! telemetry.stop();
//! ```

mod batcher;
mod console;
mod exporting;
mod logs;
mod metrics;
mod propagation;
mod queue;
mod queues;
mod sender;
mod settings;
mod signal;
mod spans;
mod variables;

use std::time::Duration;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_appender_tracing::layer::OpenTelemetryTracingBridge;
use opentelemetry_sdk::logs::SdkLoggerProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use toolpact::Session;
use toolpact::observe::{Reading, trace};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets, filter_fn};
use tracing_subscriber::registry::LookupSpan;

use batcher::TARGET;
use exporting::Exporting;
use propagation::Propagation;
use settings::Settings;

/// How long the end of the process waits for what is still to be sent.
const PATIENCE: Duration = Duration::from_secs(3);

/// What is exported, for as long as this is held.
pub struct Telemetry {
    complaints: Vec<String>,
    exporting: Option<Exporting>,
    tracer: Option<SdkTracerProvider>,
    logger: Option<SdkLoggerProvider>,
}

impl Telemetry {
    /// As the variables of this process say. If none of them asks for anything, nothing is started.
    #[must_use]
    pub fn from_env() -> Self {
        Self::new(&|name| std::env::var(name).ok())
    }

    fn new(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut settings = Settings::read(get);
        let mut complaints = std::mem::take(&mut settings.complaints);
        let exporting = match settings.is_off() {
            true => None,
            false => Exporting::start(&settings)
                .map_err(|why| complaints.push(format!("nothing is exported: {why}")))
                .ok(),
        };
        let queues = exporting.as_ref().map(|exporting| &exporting.queues);
        let spans = queues.and_then(|queues| queues.spans.clone());
        let lines = queues.and_then(|queues| queues.lines.clone());
        if let Some(queues) = queues {
            trace::set_exporter(Propagation(queues.clone()));
        }
        Self {
            tracer: spans.map(|queue| {
                SdkTracerProvider::builder()
                    .with_sampler(settings.sampler)
                    .with_resource(settings.resource.clone())
                    .with_span_processor(spans::SpanQueue(queue))
                    .build()
            }),
            logger: lines.map(|queue| {
                SdkLoggerProvider::builder()
                    .with_resource(settings.resource)
                    .with_log_processor(logs::LineQueue(queue))
                    .build()
            }),
            complaints,
            exporting,
        }
    }

    /// What a subscriber needs to export spans, and lines of the log from a level on. `None` if nothing of this is
    /// exported.
    pub fn layer<S>(&self, level: tracing::Level) -> Option<Box<dyn Layer<S> + Send + Sync>>
    where
        S: tracing::Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let spans = self.tracer.as_ref().map(|provider| {
            let layer = tracing_opentelemetry::layer()
                .with_tracer(provider.tracer("toolpact"))
                .with_location(false)
                .with_threads(false)
                .with_target(false)
                .with_tracked_inactivity(false)
                // Only lines of the log need to know which span is current.
                .with_context_activation(self.logger.is_some());
            let ours = filter_fn(|metadata| {
                metadata.is_span()
                    && *metadata.level() <= tracing::Level::INFO
                    && metadata.target().starts_with("toolpact")
            });
            layer.with_filter(ours).boxed()
        });
        let lines = self.logger.as_ref().map(|provider| {
            OpenTelemetryTracingBridge::new(provider)
                .with_filter(exported_lines(level))
                .boxed()
        });
        match (spans, lines) {
            (Some(spans), Some(lines)) => Some(spans.and_then(lines).boxed()),
            (spans, lines) => spans.or(lines),
        }
    }

    /// Says in the log which variables cannot be used, and where what goes.
    pub fn announce(&self) {
        for complaint in &self.complaints {
            tracing::warn!(target: TARGET, "{complaint}");
        }
        if let Some(exporting) = &self.exporting {
            tracing::info!(target: TARGET, "{}", exporting.summary);
        }
    }

    /// Exports the counters and latencies of the tools of a session, and what a server measures besides. It
    /// is asked for them each time.
    pub fn measure(&self, measure: impl Fn() -> (Session, Vec<Reading>) + Send + Sync + 'static) {
        if let Some(exporting) = &self.exporting {
            exporting.measure(Box::new(measure));
        }
    }

    /// Sends what waits, for three seconds at most, and exports nothing more.
    pub fn stop(self) {
        if let Some(exporting) = self.exporting {
            exporting.stop(PATIENCE);
        }
    }
}

/// Not what is said by those who send: it would be sent, too.
fn exported_lines(level: tracing::Level) -> Targets {
    let senders = [
        "h2",
        "hyper",
        "hyper_util",
        "opentelemetry",
        "reqwest",
        "rmcp",
        "rustls",
        TARGET,
    ];
    let senders = senders.map(|target| (target, LevelFilter::OFF));
    Targets::new().with_default(level).with_targets(senders)
}

impl std::fmt::Debug for Telemetry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Telemetry")
            .field("is_on", &self.exporting.is_some())
            .finish_non_exhaustive()
    }
}
