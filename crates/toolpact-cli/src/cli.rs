//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use toolpact_core::json::Limits;

use crate::commands;
use crate::output::Output;
use crate::status::Status;

/// Typed, enforced, portable contracts for the tools that AI agents call.
#[derive(Debug, Parser)]
#[command(name = "toolpact", version, propagate_version = true, after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// When to use colour
    #[arg(
        long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN",
        // Of all commands the last option, because it is of none.
        display_order = 100
    )]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact check tools/                  Check every tool below a directory
  toolpact check --fix weather.json      Put right what is certain
  toolpact explain schema-type-unknown   Why a rule is there, wrong and right

Exit status:
  0  all is well
  1  something is wrong in what was given
  2  it could not run: usage, an unreadable file";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(commands::check::Arguments),
    Validate(commands::validate::Arguments),
    Explain(commands::explain::Arguments),
    Returns(commands::returns::Arguments),
    Migrate(commands::migrate::Arguments),
    Digest(commands::digest::Arguments),
    Schema(commands::schema::Arguments),
    Completions(commands::completions::Arguments),
}

impl Command {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Status> {
        match self {
            Command::Check(arguments) => commands::check::run(&arguments, out),
            Command::Validate(arguments) => commands::validate::run(&arguments, out),
            Command::Explain(arguments) => commands::explain::run(&arguments, out),
            Command::Returns(arguments) => commands::returns::run(&arguments, out),
            Command::Migrate(arguments) => commands::migrate::run(&arguments, out),
            Command::Digest(arguments) => commands::digest::run(&arguments, out),
            Command::Schema(arguments) => commands::schema::run(&arguments, out),
            Command::Completions(arguments) => commands::completions::run(&arguments, out),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    pub(crate) fn apply(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

const LIMITS: &str = "Limits";

/// How much a document from outside may be.
#[derive(Debug, Clone, Copy, Args)]
#[expect(clippy::struct_field_names, reason = "they are the names of the flags")]
pub(crate) struct LimitArguments {
    /// Deepest nesting of a document
    #[arg(long, help_heading = LIMITS, value_name = "LEVELS", default_value_t = Limits::default().depth)]
    max_depth: usize,
    /// Longest document in bytes
    #[arg(long, help_heading = LIMITS, value_name = "BYTES", default_value_t = Limits::default().bytes)]
    max_bytes: usize,
    /// Most violations listed for a document; the rest are counted
    #[arg(long, help_heading = LIMITS, value_name = "NUMBER", default_value_t = Limits::default().violations)]
    max_violations: usize,
}

impl LimitArguments {
    pub(crate) fn limits(self) -> Limits {
        Limits::default()
            .depth(self.max_depth)
            .bytes(self.max_bytes)
            .violations(self.max_violations)
    }
}

/// The kinds of document, as words of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// An ADM tool: one or more function declarations
    Tool,
    /// An ADM function declaration
    Declaration,
    /// An ADM schema
    Schema,
    /// An ADM function call
    Call,
    /// An ADM tool result
    Result,
    /// A contract document: whole contracts of tools
    Contract,
    /// An ADL agent document with its tools
    Agent,
}

impl From<Kind> for toolpact_core::document::DocumentKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Tool => Self::Tool,
            Kind::Declaration => Self::Declaration,
            Kind::Schema => Self::Schema,
            Kind::Call => Self::Call,
            Kind::Result => Self::Result,
            Kind::Contract => Self::Contract,
            Kind::Agent => Self::Agent,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
