//! Makes the calls again.

use std::collections::{BTreeMap, HashMap};

use indicatif::{ProgressBar, ProgressStyle};
use toolpact_audit::{
    Answered, Comparison, ContractChange, Difference, Judged, Record, RecordedCall, Verdict,
    answer_of, error_of, judge,
};
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_serve::View;

use super::Arguments;
use super::choose::Choice;
use crate::backend::Backend;

/// What came of a replay.
pub(super) struct Report {
    /// The calls in the order of the record.
    pub(super) calls: Vec<ReplayedCall>,
    /// The tools of the record, by their names.
    pub(super) tools: Vec<ReplayedTool>,
    /// Tools that the record does not have.
    pub(super) added: Vec<String>,
}

/// A call of the record, and what came of it now.
pub(super) struct ReplayedCall {
    pub(super) tool: String,
    /// Where its line is.
    pub(super) place: String,
    pub(super) args: Option<Value>,
    pub(super) verdict: Verdict,
    pub(super) judged: Option<Judged>,
    /// Why it was not made, what is to be said of the answer, and what may explain it.
    pub(super) reasons: Vec<String>,
}

/// A tool of the record, and its contract now.
pub(super) struct ReplayedTool {
    pub(super) name: String,
    pub(super) verdict: Verdict,
    /// Where the contracts differ.
    pub(super) differences: Vec<Difference>,
}

/// A tool as it is now.
struct Current {
    contract: Contract,
    digest: String,
}

type Tools = HashMap<String, Current>;

impl Report {
    /// How many calls were made.
    pub(super) fn replayed(&self) -> usize {
        self.calls
            .iter()
            .filter(|call| call.judged.is_some())
            .count()
    }
}

pub(super) async fn replay(
    record: &Record,
    backend: &Backend,
    arguments: &Arguments,
) -> anyhow::Result<Report> {
    let tools = current(backend).await?;
    let replay = Replay {
        record,
        backend,
        tools: &tools,
        comparison: arguments.comparison(),
        is_exact: arguments.exact,
    };
    let choice = Choice::new(arguments, record);
    let bar = bar(record.calls.len());
    let mut calls = Vec::new();
    for (place, call) in record.calls.iter().enumerate() {
        bar.set_message(call.tool.clone());
        calls.push(match tools.get(&call.tool) {
            // A name that meant nothing then is nothing that is gone.
            None if call.digest.is_some() => {
                replayed(call, Verdict::Gone, "there is no such tool any more")
            }
            None => replayed(call, Verdict::NotReplayed, "there was no such tool"),
            Some(now) => match choice.reason(place, call, &now.contract) {
                Some(reason) => replayed(call, Verdict::NotReplayed, &reason),
                None => replay.call(place, call, now).await?,
            },
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let replayed = replay.replayed_tools();
    let is_recorded = |name: &String| replayed.iter().any(|tool| tool.name == *name);
    let mut added: Vec<String> = tools
        .keys()
        .filter(|name| !is_recorded(name))
        .cloned()
        .collect();
    added.sort_unstable();
    Ok(Report {
        calls,
        tools: replayed,
        // An audit does not know which tools there were.
        added: if record.tools.is_empty() {
            Vec::new()
        } else {
            added
        },
    })
}

/// Drawn on standard error, if that is a terminal.
fn bar(calls: usize) -> ProgressBar {
    let bar = ProgressBar::new(u64::try_from(calls).unwrap_or(u64::MAX));
    match ProgressStyle::with_template("{wide_bar} {pos} of {len} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

async fn current(backend: &Backend) -> anyhow::Result<Tools> {
    let digests: HashMap<String, String> = backend.digests().await?.into_iter().collect();
    let contracts = backend.contracts().await?.into_iter();
    let tools = contracts.map(|contract| {
        let name = contract.name().to_string();
        let digest = digests.get(&name).cloned();
        let digest = digest.unwrap_or_else(|| contract.digest().to_string());
        (name, Current { contract, digest })
    });
    Ok(tools.collect())
}

fn replayed(call: &RecordedCall, verdict: Verdict, reason: &str) -> ReplayedCall {
    ReplayedCall {
        tool: call.tool.clone(),
        place: call.place(),
        args: call.args.clone(),
        verdict,
        judged: None,
        reasons: vec![reason.to_owned()],
    }
}

struct Replay<'a> {
    record: &'a Record,
    backend: &'a Backend,
    tools: &'a Tools,
    comparison: Comparison,
    is_exact: bool,
}

impl Replay<'_> {
    async fn call(
        &self,
        place: usize,
        call: &RecordedCall,
        now: &Current,
    ) -> anyhow::Result<ReplayedCall> {
        let Some(then) = answer_of(&call.read()?) else {
            let reason = "its result was not recorded: an audit needs `results: whole`";
            return Ok(replayed(call, Verdict::NotReplayed, reason));
        };
        let args = call.args.clone().unwrap_or_else(|| Value::from(()));
        let answer = self.answer(&call.tool, args.clone()).await?;
        let change = self.change(call, now);
        let mut judged = judge(&then, &answer, &self.comparison, change);
        // What differs between two calls right now was no promise then.
        let may_repeat = !self.is_exact && now.contract.effects().may_execute_again();
        if !judged.compared.is_same() && may_repeat {
            let again = self.answer(&call.tool, args).await?;
            if let (Ok(one), Ok(other)) | (Err(one), Err(other)) = (&answer, &again) {
                let comparison = self.comparison.also_ignoring(one, other);
                judged = judge(&then, &answer, &comparison, change);
            }
        }
        let mut reasons = judged.reasons.clone();
        reasons.extend(self.explanation(place, &judged));
        Ok(ReplayedCall {
            verdict: judged.verdict,
            judged: Some(judged),
            ..with_reasons(call, reasons)
        })
    }

    async fn answer(&self, tool: &str, args: Value) -> anyhow::Result<Answered> {
        let answer = self.backend.call(tool, args, View::Json).await?;
        let value = Value::from_json(&answer.text).map_err(|wrong| {
            anyhow::anyhow!("the answer to a call of {tool} is no JSON: {wrong}")
        })?;
        Ok(match answer.worked {
            true => Ok(value),
            false => Err(error_of(&value)),
        })
    }

    /// Whether the tool has another contract than the one that was recorded.
    fn change(&self, call: &RecordedCall, now: &Current) -> ContractChange<'_> {
        match self.record.contract_of(call) {
            _ if call.digest.as_ref() == Some(&now.digest) => ContractChange::None,
            Some(recorded) => ContractChange::From(recorded),
            None => ContractChange::FromUnknown,
        }
    }

    /// A call that came later and changed something, which may be why a value is another one.
    fn explanation(&self, place: usize, judged: &Judged) -> Option<String> {
        if !matches!(judged.verdict, Verdict::ValueChanged | Verdict::Failed) {
            return None;
        }
        let later = self.record.calls.iter().skip(place + 1);
        let mut changes = later.filter(|call| {
            let now = self.tools.get(&call.tool);
            now.is_some_and(|now| now.contract.effects().read_only() != Some(true))
                && call.digest.is_some()
        });
        let change = changes.next()?;
        Some(format!(
            "a later call of the record may have changed it: {} at {}",
            change.tool,
            change.place()
        ))
    }

    /// All tools that were recorded or called, with the last contract of each.
    fn replayed_tools(&self) -> Vec<ReplayedTool> {
        let mut names: BTreeMap<&str, &str> = BTreeMap::new();
        for call in &self.record.calls {
            if let Some(digest) = &call.digest {
                names.insert(&call.tool, digest);
            }
        }
        for tool in &self.record.tools {
            names.insert(&tool.name.tool, &tool.name.digest);
        }
        let tools = names.into_iter();
        tools
            .map(|(name, digest)| self.replayed_tool(name, digest))
            .collect()
    }

    fn replayed_tool(&self, name: &str, digest: &str) -> ReplayedTool {
        let (verdict, differences) = match self.tools.get(name) {
            None => (Verdict::Gone, Vec::new()),
            Some(now) if now.digest == digest => (Verdict::Same, Vec::new()),
            Some(now) => {
                let recorded = self.record.tool(name).map(|tool| &*tool.contract);
                let differences = recorded.map(|then| differences(then, &now.contract));
                (Verdict::ContractChanged, differences.unwrap_or_default())
            }
        };
        ReplayedTool {
            name: name.to_owned(),
            verdict,
            differences,
        }
    }
}

fn with_reasons(call: &RecordedCall, reasons: Vec<String>) -> ReplayedCall {
    ReplayedCall {
        reasons,
        ..replayed(call, Verdict::Same, "")
    }
}

/// Where two contracts differ, whatever their names are.
fn differences(then: &Contract, now: &Contract) -> Vec<Difference> {
    let now = now.renamed(then.name().clone());
    let [then, now] = [then, &now].map(|one| Value::from_json(one.to_canonical()));
    match (then, now) {
        (Ok(then), Ok(now)) => Comparison::default().exact().compare(&then, &now).changed,
        _ => Vec::new(),
    }
}
