use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use toolpact_policy::{Catalogue, Policies};

use super::{config, policy};
use crate::output::{Output, WARNING, count, printable};
use crate::status::Status;

/// Print the policies of a config, with its short form in Cedar
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The config [default: the toolpact.yaml of the working directory]
    config: Option<PathBuf>,
}

pub(super) fn show(arguments: &ShowArguments, out: &mut Output) -> anyhow::Result<Status> {
    let config = config(arguments.config.as_deref())?;
    let policy = policy(&config)?;
    for path in &policy.files {
        let name = printable(&path.display().to_string());
        let text = std::fs::read_to_string(path).with_context(|| name.clone())?;
        writeln!(out, "// {name}")?;
        out.write_foreign(text.trim_end());
        writeln!(out, "\n")?;
    }
    for (place, allow) in policy.allow.iter().enumerate() {
        out.write_foreign(&allow.to_cedar(place));
        writeln!(out)?;
    }
    Ok(Status::Fine)
}

/// Print the Cedar schema of the tools of a config
///
/// Types that Cedar lacks are left out or written otherwise, which is said on standard error.
#[derive(Debug, Args)]
pub(crate) struct SchemaArguments {
    /// The config [default: the toolpact.yaml of the working directory]
    config: Option<PathBuf>,
    /// Only count what is lost
    #[arg(long)]
    quiet: bool,
}

pub(super) fn schema(arguments: &SchemaArguments, out: &mut Output) -> anyhow::Result<Status> {
    let config = config(arguments.config.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let loaded = runtime.block_on(toolpact_serve::load(&config))?;
    let policies = config.policy.as_ref().map(Policies::read);
    let patterns = match &policies {
        Some(Ok(policies)) => policies.patterns(),
        _ => &[],
    };
    let (schema, losses) = Catalogue::of_session(&loaded.session).schema(patterns);
    out.write_foreign(&schema);
    let mut stderr = Output::stderr();
    for wrong in &loaded.wrong {
        writeln!(stderr, "{WARNING}warning:{WARNING:#} {}", printable(wrong))?;
    }
    match arguments.quiet {
        true => writeln!(stderr, "{}", count(losses.len(), "loss"))?,
        false => {
            for loss in &losses {
                writeln!(stderr, "{}", printable(&loss.to_string()))?;
            }
        }
    }
    Ok(Status::Fine)
}
