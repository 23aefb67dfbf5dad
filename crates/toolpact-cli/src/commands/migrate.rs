use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use similar::TextDiff;
use toolpact_core::adl::{self, Migration, Undecided};
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Node};
use toolpact_core::returns::StandardType;

use super::returns::parse_name;
use crate::cli::LimitArguments;
use crate::files::{self, Source};
use crate::output::{BOLD, FINE, Output, WARNING, complain};
use crate::report;
use crate::save;
use crate::status::Status;

/// Migrate old ADL returns to the typed form of ADL 1.5
///
/// Finds tools whose `returns` is a word and a description, chooses a standard type from their
/// names and descriptions, and adds the reference and an example. Everything else stays as it is.
/// A tool whose type is uncertain is left as it is and listed with its candidates. Documents that are
/// no agents have nothing to migrate.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Agent documents in JSON: files, directories or patterns
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Show what would change and change nothing (the default)
    #[arg(long, conflicts_with = "write")]
    dry_run: bool,
    /// Write the files
    #[arg(long)]
    write: bool,
    /// Set what a tool returns, where that cannot be inferred
    #[arg(long, alias = "decide", value_name = "TOOL=TYPE", value_parser = parse_return)]
    set_return: Vec<(String, StandardType)>,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact migrate agent.json                                        Show the changes
  toolpact migrate --write agents/                                   Make them
  toolpact migrate --write --set-return process=BatchResult a.json   Say what is uncertain

Exit status 1 means that some tools are still undecided, or that a document is not valid, as\n`toolpact check` says; then it is not written.";

fn parse_return(text: &str) -> anyhow::Result<(String, StandardType)> {
    let (tool, name) = text
        .split_once('=')
        .context("expected TOOL=TYPE, for example get_user=EntityResult")?;
    Ok((tool.to_owned(), parse_name(name)?))
}

#[expect(clippy::unnecessary_wraps, reason = "all commands are run alike")]
pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let decided: HashMap<String, StandardType> = arguments.set_return.iter().cloned().collect();
    let mut unused: HashSet<&str> = decided.keys().map(String::as_str).collect();
    let status = files::find(&arguments.files).for_each(|source| {
        let bytes = source.read()?;
        let document = source.parse(&bytes, &arguments.limits.limits());
        for name in tool_names(&document) {
            unused.remove(&*name);
        }
        one(arguments, &decided, source, &document, out)
    });
    // A decision that applies to no tool is a mistake: the intended tool is still undecided.
    for (name, _) in arguments
        .set_return
        .iter()
        .filter(|(name, _)| unused.contains(&**name))
    {
        complain(&anyhow::anyhow!("--set-return: no tool is called `{name}`"));
    }
    Ok(status.max(Status::wrong_if(!unused.is_empty())))
}

fn tool_names(document: &Document) -> Vec<String> {
    let tools = document.root().and_then(|root| root.get("tools"));
    let names = tools.into_iter().flat_map(Node::items);
    names
        .filter_map(|tool| Some(tool.get("name")?.as_str()?.into_owned()))
        .collect()
}

fn one(
    arguments: &Arguments,
    decided: &HashMap<String, StandardType>,
    source: &Source,
    document: &Document,
    out: &mut Output,
) -> anyhow::Result<Status> {
    let name = source.name();
    let violations = document.violations();
    if violations.errors() > 0 {
        report::explain(&name, document, &violations, out)?;
        return Ok(Status::Wrong);
    }
    let found = document.root().and_then(DocumentKind::detect);
    let kind = found.map(|found| found.kind);
    let is_agent = kind == Some(DocumentKind::Agent);
    // Tools without their agent look like other tools.
    let is_guess = found.is_some_and(|found| !found.is_certain);
    let migration = adl::migrate(document, decided).filter(|migration| {
        let is_any = !migration.changes.is_empty() || !migration.undecided.is_empty();
        is_agent || is_guess && is_any
    });
    let Some(migration) = migration else {
        anyhow::ensure!(
            !is_agent,
            "{name}: expected an agent in JSON, found one in YAML"
        );
        if !source.found {
            let found = kind.map_or(
                "a document of another kind".to_owned(),
                DocumentKind::describe,
            );
            writeln!(
                out,
                "{name}: nothing to migrate: expected an ADL agent, found {found}"
            )?;
        }
        // What is of no kind at all is refused by `check`, too.
        return Ok(Status::wrong_if(kind.is_none() && !source.found));
    };
    let old = document.text();
    let is_changed = migration.text != old;
    let limits = arguments.limits.limits();
    let migrated = Document::json(migration.text.as_bytes(), &limits);
    let found = AnyDocument::check(&migrated, kind).violations;
    let is_wrong = found.errors() > 0;
    if arguments.write && is_changed && !is_wrong {
        let path = source.path.as_ref();
        let path = path.ok_or_else(|| anyhow::anyhow!("cannot write to standard input"))?;
        save::replace(path, &migration.text)?;
    }
    if !arguments.write && is_changed {
        let diff = TextDiff::from_lines(old, &migration.text);
        write!(out, "{}", diff.unified_diff().header(&name, &name))?;
    }
    tell(&name, &migration, is_changed, out)?;
    if is_wrong {
        report::explain(&name, &migrated, &found, out)?;
        if arguments.write && is_changed {
            writeln!(out, "{name}: not written, because it is not valid")?;
        }
    }
    Ok(Status::wrong_if(
        is_wrong || !migration.undecided.is_empty(),
    ))
}

fn tell(
    name: &str,
    migration: &Migration,
    is_changed: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    for change in &migration.changes {
        let reasons = change.reasons.join("; ");
        writeln!(
            out,
            "{name}: {BOLD}{}{BOLD:#} returns {FINE}{}{FINE:#} ({}: {reasons})",
            change.tool, change.to, change.confidence
        )?;
    }
    for undecided in &migration.undecided {
        let Undecided { tool, reason, .. } = undecided;
        let candidates: Vec<&str> = undecided.candidates.iter().map(|c| c.name()).collect();
        let decide = match candidates.is_empty() {
            true => String::new(),
            false => format!("; --set-return {tool}={}", candidates.join("|")),
        };
        writeln!(
            out,
            "{name}: {BOLD}{tool}{BOLD:#} is {WARNING}undecided{WARNING:#}: {reason}{decide}"
        )?;
    }
    if migration.changes.is_empty() && migration.undecided.is_empty() {
        let what = match is_changed {
            true => "returns that were typed already are in their canonical form now",
            false => "nothing to migrate",
        };
        writeln!(out, "{name}: {what}")?;
    }
    Ok(())
}
