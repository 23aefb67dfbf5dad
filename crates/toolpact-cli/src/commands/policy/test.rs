use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use toolpact_policy::{CallFacts, Case, Cases, PolicyOutcome};

use super::{Ready, config, ready};
use crate::output::{ERROR, FINE, Output, count, printable};
use crate::status::Status;

/// Run cases: who calls which tool with which arguments, and what is expected
///
/// The file is YAML: `{ config: toolpact.yaml, cases: [{ principal: { name: ada, groups: [support] }, tool: refund,
/// arguments: { amount: 100 }, expect: allow }] }`. Without a `principal`, the caller is anonymous; `expect` is allow,
/// deny or ask.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file with the cases
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The config [default: what the file says, or the toolpact.yaml beside it]
    #[arg(long)]
    config: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let name = printable(&arguments.file.display().to_string());
    let text = std::fs::read(&arguments.file).with_context(|| format!("cannot read {name}"))?;
    let cases = match Cases::read(&text) {
        Ok(cases) => cases,
        Err(wrong) => {
            let mut stderr = Output::stderr();
            for line in wrong {
                writeln!(stderr, "{ERROR}error:{ERROR:#} {name}:{}", printable(&line))?;
            }
            return Ok(Status::Wrong);
        }
    };
    let folder = arguments.file.parent().unwrap_or(Path::new(""));
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let beside = cases
        .config
        .as_ref()
        .map_or_else(|| folder.to_owned(), |path| folder.join(path));
    let named = arguments.config.clone().unwrap_or(beside);
    let Some(ready) = ready(&config(Some(&named))?)? else {
        return Ok(Status::Wrong);
    };
    let mut failed = 0;
    for case in &cases.cases {
        failed += usize::from(!passes(case, &ready, out)?);
    }
    let total = count(cases.cases.len(), "case");
    match failed {
        0 => writeln!(out, "{FINE}fine:{FINE:#} {total}")?,
        failed => writeln!(out, "{ERROR}failed:{ERROR:#} {failed} of {total}")?,
    }
    Ok(Status::wrong_if(failed > 0))
}

fn passes(case: &Case, ready: &Ready, out: &mut Output) -> anyhow::Result<bool> {
    let title = printable(&case.title());
    let Some(tool) = ready.loaded.session.get(&case.tool) else {
        let tool = printable(&case.tool);
        writeln!(
            out,
            "{ERROR}FAIL{ERROR:#} {title}: there is no tool `{tool}`"
        )?;
        return Ok(false);
    };
    let (principal, args, client) = (case.caller(), case.args(), case.client());
    let facts = CallFacts {
        principal: &principal,
        args: &args,
        session: 0,
        client: client.as_ref(),
    };
    let verdict = ready.policies.decide(tool, facts);
    let (expected, found) = (case.expect.as_str(), verdict.outcome.as_str());
    if expected == found {
        writeln!(out, "{FINE}pass{FINE:#} {title}: {found}")?;
        return Ok(true);
    }
    let by = match (&verdict.policies[..], &verdict.outcome) {
        ([], PolicyOutcome::Deny) => "nothing permits it".to_owned(),
        (policies, _) => format!("by {}", printable(&policies.join(", "))),
    };
    writeln!(
        out,
        "{ERROR}FAIL{ERROR:#} {title}: expected {expected}, found {found} ({by})"
    )?;
    for error in &verdict.errors {
        writeln!(out, "     {}", printable(error))?;
    }
    Ok(false)
}
