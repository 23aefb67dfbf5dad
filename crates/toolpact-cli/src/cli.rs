//! The command line.

use std::ffi::OsString;

use anyhow::Context as _;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use toolpact_core::document::DocumentKind;
use toolpact_core::json::Limits;
use toolpact_core::lint::Selection;
use toolpact_core::returns::StandardType;

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
  toolpact serve                         Serve the toolpact.yaml here, or a shop to try
  toolpact work --grid nats://10.0.0.5   Run the same tools for servers on other machines
  toolpact check tools/                  Check every tool below a directory
  toolpact check --fix weather.json      Fix what is certain
  toolpact convert shop.yaml --to mcp    Write tools for another provider
  toolpact stubs --lang python tools/    Declare tools for code that calls them
  toolpact run report.py --tools tools/  Check and run a script that calls tools
  toolpact plan plan.json                Check and run the steps that a model planned
  toolpact diff old.yaml new.yaml        What changed, for whom, and what it breaks
  toolpact explain schema-type-unknown   Why a rule is there, wrong and right

Exit status:
  0  all is well
  1  something is wrong in what was given
  2  it could not run: usage, an unreadable file";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(commands::serve::Arguments),
    Work(commands::work::Arguments),
    Grid(commands::grid::Arguments),
    Lock(commands::lock::Arguments),
    Init(commands::init::Arguments),
    Token(commands::token::Arguments),
    Tools(commands::tools::Arguments),
    Call(commands::call::Arguments),
    Check(commands::check::Arguments),
    Validate(commands::validate::Arguments),
    Infer(commands::infer::Arguments),
    Convert(commands::convert::Arguments),
    Explain(commands::explain::Arguments),
    Returns(commands::returns::Arguments),
    Migrate(commands::migrate::Arguments),
    Docs(commands::docs::Arguments),
    Stubs(commands::stubs::Arguments),
    Run(commands::run::Arguments),
    Plan(commands::plan::Arguments),
    Audit(commands::audit::Arguments),
    Replay(commands::replay::Arguments),
    Policy(commands::policy::Arguments),
    Approvals(commands::approvals::Arguments),
    Diff(commands::diff::Arguments),
    Digest(commands::digest::Arguments),
    Schema(commands::schema::Arguments),
    Completions(commands::completions::Arguments),
}

impl Command {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Status> {
        match self {
            Command::Serve(arguments) => commands::serve::run(&arguments, out),
            Command::Work(arguments) => commands::work::run(&arguments, out),
            Command::Grid(arguments) => commands::grid::run(&arguments, out),
            Command::Lock(arguments) => commands::lock::run(&arguments, out),
            Command::Init(arguments) => commands::init::run(&arguments, out),
            Command::Token(arguments) => commands::token::run(&arguments, out),
            Command::Tools(arguments) => commands::tools::run(&arguments, out),
            Command::Call(arguments) => commands::call::run(&arguments, out),
            Command::Check(arguments) => commands::check::run(&arguments, out),
            Command::Validate(arguments) => commands::validate::run(&arguments, out),
            Command::Infer(arguments) => commands::infer::run(&arguments, out),
            Command::Convert(arguments) => commands::convert::run(&arguments, out),
            Command::Explain(arguments) => commands::explain::run(&arguments, out),
            Command::Returns(arguments) => commands::returns::run(&arguments, out),
            Command::Migrate(arguments) => commands::migrate::run(&arguments, out),
            Command::Docs(arguments) => commands::docs::run(&arguments, out),
            Command::Stubs(arguments) => commands::stubs::run(&arguments, out),
            Command::Run(arguments) => commands::run::run(&arguments, out),
            Command::Plan(arguments) => commands::plan::run(&arguments, out),
            Command::Audit(arguments) => commands::audit::run(&arguments, out),
            Command::Replay(arguments) => commands::replay::run(&arguments, out),
            Command::Policy(arguments) => commands::policy::run(&arguments, out),
            Command::Approvals(arguments) => commands::approvals::run(&arguments, out),
            Command::Diff(arguments) => commands::diff::run(&arguments, out),
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
    /// What the arguments say of it, whatever else is wrong with them: what is said of that has colours, too.
    pub(crate) fn of(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let mut arguments = arguments.into_iter().skip(1);
        let mut color = Self::Auto;
        while let Some(argument) = arguments.next().filter(|argument| argument != "--") {
            let argument = argument.to_string_lossy().into_owned();
            let value = match argument.strip_prefix("--color") {
                Some("") => arguments
                    .next()
                    .map(|next| next.to_string_lossy().into_owned()),
                Some(value) => value.strip_prefix('=').map(str::to_owned),
                None => None,
            };
            let value = value.and_then(|value| Self::from_str(&value, false).ok());
            color = value.unwrap_or(color);
        }
        color
    }

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

/// The kind of files with tools.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ToolsFrom {
    /// Read the files with tools as this kind, instead of detecting it (see `convert --list`)
    #[arg(long, alias = "as", value_parser = kinds_with_tools(), value_name = "KIND", hide_possible_values = true)]
    pub(crate) from: Option<DocumentKind>,
}

/// The kind of documents.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DocumentsFrom {
    /// Read the files as this kind, instead of detecting it; the name of a return type for values of it
    #[arg(long, alias = "as", value_parser = kinds_and_types(), value_name = "KIND")]
    pub(crate) from: Option<DocumentKind>,
}

/// Which rules of lint are applied.
#[derive(Debug, Clone, Args)]
pub(crate) struct LintArguments {
    /// Also look for what the definitions of tools try to do to a model: orders, requests for secrets, hidden text
    ///
    /// Without RULES, by the rules that are seldom wrong. RULES are codes of rules, `default` or `all`, separated by
    /// commas; `toolpact explain` lists them. The findings are warnings.
    #[arg(
        long, value_name = "RULES", num_args = 0..=1, require_equals = true, default_missing_value = "default",
        value_parser = lint_rules
    )]
    pub(crate) lint: Option<Selection>,
}

fn lint_rules(words: &str) -> anyhow::Result<Selection> {
    words
        .split(',')
        .map(str::trim)
        .try_fold(Selection::none(), |rules, word| match word {
            "default" => Ok(rules.or(&Selection::default())),
            "all" => Ok(Selection::all()),
            code => rules
                .with(code)
                .with_context(|| match Selection::nearest(code) {
                    Some(near) => {
                        format!("no rule of lint has the code `{code}`; did you mean `{near}`?")
                    }
                    None => format!(
                        "no rule of lint has the code `{code}`; `toolpact explain` lists them"
                    ),
                }),
        })
}

/// The kinds of document that have a JSON Schema, as words of the command line.
pub(crate) fn kinds() -> impl TypedValueParser<Value = DocumentKind> {
    let words = DocumentKind::STRUCTURES.map(DocumentKind::as_str);
    PossibleValuesParser::new(words).try_map(|word| parse_kind(&word))
}

fn kinds_with_tools() -> impl TypedValueParser<Value = DocumentKind> {
    let kinds = DocumentKind::all().filter(|kind| kind.dialect().is_some());
    let words = kinds.map(DocumentKind::as_str);
    PossibleValuesParser::new(words).try_map(|word| parse_kind(&word))
}

fn kinds_and_types() -> impl TypedValueParser<Value = DocumentKind> {
    let words = DocumentKind::all().map(DocumentKind::as_str);
    let types = StandardType::all().map(StandardType::name);
    PossibleValuesParser::new(words.chain(types)).try_map(|word| parse_kind(&word))
}

fn parse_kind(word: &str) -> anyhow::Result<DocumentKind> {
    DocumentKind::from_name(word).context("no such kind")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
