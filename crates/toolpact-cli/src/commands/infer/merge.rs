//! Contracts that exist, widened by what was seen.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use toolpact_core::contract::Contract;
use toolpact_core::diff::ToolDiff;
use toolpact_core::infer::{ObservedTools, Widening};
use toolpact_core::json::Limits;

use crate::output::{BOLD, ERROR, Output, WARNING, count, printable};
use crate::status::Status;
use crate::tools;

/// The contracts of a file, in any dialect.
pub(super) fn read(path: &Path, limits: &Limits) -> anyhow::Result<Vec<Contract>> {
    let tools = tools::load(&[path.to_owned()], None, limits);
    if tools.status != Status::Fine {
        bail!(
            "--merge: {} has no contracts that can be widened",
            path.display()
        );
    }
    Ok(tools.list.into_iter().map(|tool| tool.contract).collect())
}

pub(super) fn widenings(contracts: &[Contract]) -> anyhow::Result<Vec<Widening>> {
    let widening = |contract: &Contract| {
        let widening = Widening::new(contract.clone());
        widening.with_context(|| {
            let name = contract.name();
            format!(
                "--merge: the contract of {name} has numbers with more digits than would be kept"
            )
        })
    };
    contracts.iter().map(widening).collect()
}

/// Says what changed, and what the contracts still do not accept.
pub(super) fn report(before: &[Contract], observed: &ObservedTools) -> anyhow::Result<Status> {
    let mut out = Output::stderr();
    let mut status = Status::Fine;
    let number = |n: u64, noun| count(usize::try_from(n).unwrap_or(usize::MAX), noun);
    for (before, widening) in before.iter().zip(observed.widenings()) {
        let name = printable(before.name().as_str());
        let Some((arguments, results)) = observed.get(before.name().as_str()) else {
            writeln!(
                out,
                "{BOLD}{name}:{BOLD:#} was not seen, and stays as it is"
            )?;
            continue;
        };
        let (calls, results) = (
            number(arguments.count(), "call"),
            number(results.count(), "result"),
        );
        writeln!(out, "{BOLD}{name}:{BOLD:#} {calls} and {results}")?;
        let diff = ToolDiff::between(before, widening.contract());
        if diff.changes().is_empty() {
            writeln!(out, "  stays as it is: it accepts all of them")?;
        }
        for change in diff.changes() {
            writeln!(out, "  {}", printable(&change.to_string()))?;
        }
        if widening.hopeless() > 0 {
            let values = number(widening.hopeless(), "result");
            writeln!(
                out,
                "  {ERROR}not accepted:{ERROR:#} {values}, because text is promised"
            )?;
            status = Status::Wrong;
        }
    }
    for name in observed.names() {
        if !before.iter().any(|contract| contract.is_called(name)) {
            let name = printable(name);
            writeln!(
                out,
                "{WARNING}left out:{WARNING:#} {name} is in no contract; infer it without --merge"
            )?;
        }
    }
    Ok(status)
}
