//! The log of a server, or of a call, on standard error.

use std::fmt::{self, Write};

use clap::ValueEnum;
use toolpact::observe::trace::SPANS;
use tracing::Level;
use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, Registry};

use crate::output::is_command;

/// Sends spans and lines elsewhere.
pub(crate) type ExportLayer = Box<dyn Layer<Registry> + Send + Sync>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Log {
    /// Lines for people
    Text,
    /// A JSON object a line
    Json,
}

impl Log {
    /// Logs to standard error: standard output is for the protocol, or for the address. `export` gets spans, and
    /// the same lines.
    pub(crate) fn start(self, verbose: bool, export: Option<ExportLayer>) {
        let level = LevelFilter::from_level(level(verbose));
        let (targets, wrong) = targets(level, std::env::var("RUST_LOG").ok().as_deref());
        let targets = targets.with_target(SPANS, LevelFilter::OFF);
        let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
        let log = match self {
            Log::Text => log.fmt_fields(Fields).boxed(),
            // Only the innermost span is written, not the list of all spans around it.
            Log::Json => log.json().with_span_list(false).boxed(),
        };
        tracing_subscriber::registry()
            .with(export)
            .with(log.with_filter(targets))
            .init();
        if let Some(why) = wrong {
            tracing::warn!("{why}");
        }
    }
}

/// From which level on there are lines.
pub(crate) fn level(verbose: bool) -> Level {
    match verbose {
        true => Level::DEBUG,
        false => Level::INFO,
    }
}

/// The beginnings of the names of fields that are for OpenTelemetry.
const OTHERS: [&str; 4] = ["enduser.", "gen_ai.", "otel.", "toolpact."];

/// What is logged: what `RUST_LOG` says, or else everything of a level; and what is wrong with `RUST_LOG`.
fn targets(level: LevelFilter, named: Option<&str>) -> (Targets, Option<String>) {
    let named = named.filter(|named| !named.trim().is_empty());
    let (targets, wrong) = match named.map(str::parse::<Targets>) {
        None => (None, None),
        Some(Ok(targets)) => (Some(targets), None),
        Some(Err(error)) => {
            let expected = "expected RUST_LOG to be such as `info,toolpact=debug`";
            (None, Some(format!("{expected}: {error}")))
        }
    };
    let targets = targets.unwrap_or_else(|| Targets::new().with_default(level));
    // The MCP library logs whole messages, whatever they contain, so it has to be asked for by its name.
    let is_asked_for = wrong.is_none() && named.is_some_and(|named| named.contains("rmcp"));
    let targets = match is_asked_for {
        true => targets,
        false => targets.with_target("rmcp", LevelFilter::OFF),
    };
    (targets, wrong)
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
            name if OTHERS.iter().any(|prefix| name.starts_with(prefix)) => return,
            name => name,
        };
        let space = if self.began { " " } else { "" };
        self.began = true;
        let mut writer = Escaping(&mut self.writer);
        self.result = self.result.and_then(|()| match name {
            "message" => write!(writer, "{space}{value:?}"),
            name => write!(writer, "{space}{name}={value:?}"),
        });
    }
}

/// Writes what would begin another line, or tell a terminal what to do, as `\n` and `\u{1b}`: messages
/// quote other servers and programs.
struct Escaping<'a, W>(&'a mut W);

impl<W: Write> Write for Escaping<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some((at, command)) = rest.char_indices().find(|(_, c)| is_command(*c)) {
            self.0.write_str(&rest[..at])?;
            write!(self.0, "{}", command.escape_default())?;
            rest = &rest[at + command.len_utf8()..];
        }
        self.0.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use tracing::Level;
    use tracing_subscriber::filter::LevelFilter;

    use super::targets;

    #[test]
    fn what_rust_log_says_is_logged() {
        let enabled = |named, target: &str, level| {
            let (targets, wrong) = targets(LevelFilter::INFO, named);
            (targets.would_enable(target, &level), wrong.is_some())
        };
        assert_eq!(enabled(None, "toolpact", Level::INFO), (true, false));
        assert_eq!(enabled(Some(""), "toolpact", Level::INFO), (true, false));
        assert_eq!(enabled(None, "toolpact", Level::DEBUG), (false, false));
        let named = Some("warn,toolpact::command=debug");
        assert_eq!(enabled(named, "toolpact", Level::INFO), (false, false));
        assert_eq!(
            enabled(named, "toolpact::command", Level::DEBUG),
            (true, false)
        );
        assert_eq!(
            enabled(Some("trace"), "rmcp::service", Level::ERROR),
            (false, false)
        );
        assert_eq!(
            enabled(Some("rmcp=debug"), "rmcp::service", Level::DEBUG),
            (true, false)
        );
        assert_eq!(
            enabled(Some("toolpact=loud"), "toolpact", Level::INFO),
            (true, true)
        );
    }
}
