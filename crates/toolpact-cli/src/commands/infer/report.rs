//! How sure the contracts are.

use std::io::Write as _;

use serde_json::{Value as Json, json};
use toolpact_core::infer::{Evidence, InferredTool, ObservedTools};
use toolpact_core::returns::Returns;

use crate::output::{BOLD, ERROR, Output, WARNING, count, printable, thousands};
use crate::status::Status;

/// As many weak statements are shown for each tool.
const SHOWN: usize = 8;

/// From how many examples each contract is, and what is weak about it.
pub(super) fn tell(tools: &[InferredTool], out: &mut Output) -> anyhow::Result<()> {
    for tool in tools {
        let number = |n: u64, noun| count(usize::try_from(n).unwrap_or(usize::MAX), noun);
        let name = printable(tool.contract.name().as_str());
        let (calls, results) = (number(tool.calls, "call"), number(tool.results, "result"));
        write!(out, "{BOLD}{name}:{BOLD:#} from {calls} and {results}")?;
        match tool.failures {
            0 => writeln!(out)?,
            failures => writeln!(out, "; {} failed", number(failures, "call"))?,
        }
        if tool.calls == 0 {
            writeln!(
                out,
                "  {WARNING}note:{WARNING:#} no arguments were seen, so any are accepted"
            )?;
        }
        match (tool.results, tool.contract.returns()) {
            (0, Returns::Undeclared) => writeln!(
                out,
                "  {WARNING}note:{WARNING:#} no results were seen, so nothing is promised"
            )?,
            (0, _) => writeln!(
                out,
                "  {WARNING}note:{WARNING:#} no results were seen, so `returns` is what the server says"
            )?,
            (_, Returns::Standard { standard, .. }) => {
                writeln!(out, "  all results are of the standard type {standard}")?;
            }
            _ => {}
        }
        if let Some(standard) = tool.could_be {
            writeln!(
                out,
                "  {WARNING}note:{WARNING:#} with `returns: {standard}`, the results would be lifted into that type"
            )?;
        }
        weak("parameters", &tool.parameters, out)?;
        weak("returns", &tool.returns, out)?;
    }
    Ok(())
}

fn weak(field: &str, evidence: &[Evidence], out: &mut Output) -> anyhow::Result<()> {
    let weak: Vec<&Evidence> = evidence.iter().filter(|one| one.is_weak()).collect();
    for one in weak.iter().take(SHOWN) {
        writeln!(
            out,
            "  {WARNING}weak:{WARNING:#} {field} {}",
            printable(&one.to_string())
        )?;
    }
    match weak.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => Ok(writeln!(
            out,
            "  and {} more weak statements (--json has all)",
            thousands(more)
        )?),
    }
}

/// The same for programs, with every statement.
pub(super) fn json(tools: &[InferredTool]) -> Json {
    let statements = |evidence: &[Evidence]| -> Vec<Json> {
        let statement = |one: &Evidence| json!({"place": one.place, "claim": one.claim, "examples": one.examples, "weak": one.is_weak()});
        evidence.iter().map(statement).collect()
    };
    let tools = tools.iter().map(|tool| {
        json!({
            "name": tool.contract.name().as_str(),
            "calls": tool.calls,
            "results": tool.results,
            "failures": tool.failures,
            "parameters": statements(&tool.parameters),
            "returns": statements(&tool.returns),
        })
    });
    tools.collect()
}

/// Says how many lines belong to no tool.
pub(super) fn unattributed(observed: &ObservedTools) -> anyhow::Result<Status> {
    let lost = observed.unattributed();
    if lost > 0 {
        let lines = count(usize::try_from(lost).unwrap_or(usize::MAX), "line");
        writeln!(
            Output::stderr(),
            "{ERROR}left out:{ERROR:#} {lines}, with no name of a tool and no call before; --tool NAME says \
             whose they are"
        )?;
    }
    Ok(Status::wrong_if(lost > 0))
}
