//! The log of a server, or of a call, on standard error.

use std::fmt;

use clap::ValueEnum;
use tracing::field::{Field, Visit};
use tracing_subscriber::Layer as _;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Log {
    /// Lines for people
    Text,
    /// A JSON object a line
    Json,
}

impl Log {
    /// Logs to standard error: standard output is for the protocol, or for the address.
    pub(crate) fn start(self, verbose: bool) {
        let level = match verbose {
            true => LevelFilter::DEBUG,
            false => LevelFilter::INFO,
        };
        // The MCP library logs whole messages, whatever they contain.
        let targets = Targets::new()
            .with_default(level)
            .with_target("rmcp", LevelFilter::OFF);
        let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
        let log = match self {
            Log::Text => log.fmt_fields(Fields).boxed(),
            // Only the innermost span is written, not the list of all spans around it.
            Log::Json => log.json().with_span_list(false).boxed(),
        };
        tracing_subscriber::registry()
            .with(log.with_filter(targets))
            .init();
    }
}

/// Fields for people. Of the OpenTelemetry fields of a call, only the tool and the call are shown.
struct Fields;

impl<'w> FormatFields<'w> for Fields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut line = Line {
            writer,
            began: false,
            result: Ok(()),
        };
        fields.record(&mut line);
        line.result
    }
}

struct Line<'w> {
    writer: Writer<'w>,
    began: bool,
    result: fmt::Result,
}

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let name = match field.name() {
            "gen_ai.tool.name" => "tool",
            "gen_ai.tool.call.id" => "call",
            name if name.starts_with("gen_ai.") || name.starts_with("otel.") => return,
            name => name,
        };
        let space = if self.began { " " } else { "" };
        self.began = true;
        self.result = self.result.and_then(|()| match name {
            "message" => write!(self.writer, "{space}{value:?}"),
            name => write!(self.writer, "{space}{name}={value:?}"),
        });
    }
}
