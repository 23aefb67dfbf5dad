use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::call::{CallLimits, Rate, ResultChecks, Retries};
use toolpact::registry::RegistryBuilder;

use super::Source;

/// How many calls of all tools run at once, if the config does not say.
const AT_ONCE: usize = 1024;

/// How long calls wait for their turn, if the config does not say.
const WAIT: Duration = Duration::from_secs(5);

/// How many calls run at once, how many wait for their turn, and for how long.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CallsConfig {
    /// All calls together.
    pub all: AllCalls,
    /// The calls of each tool.
    pub each: ToolCalls,
    /// The calls of each tool of single sources, by their names; `""` is for those without one. What is not said here
    /// is as for each tool.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, ToolCalls>,
    /// The calls of single tools, by the names that clients use. What is not said here is as for their source, or for
    /// each tool.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, ToolCalls>,
    /// The calls of each principal, in all of its sessions together. Those who have shown nothing are one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub each_principal: Option<PrincipalCalls>,
}

/// Limits of the calls of each principal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PrincipalCalls {
    /// All of its calls together. There is no such limit without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<AllCalls>,
    /// Its calls of single tools, by the names that clients use.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, AllCalls>,
}

/// How results are checked against their contracts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ResultsConfig {
    /// Of all tools: they are enforced, by their meaning, without this.
    pub all: ResultChecks,
    /// Of the tools of single sources, by their names; `""` is for those without one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, ResultChecks>,
    /// Of single tools, by the names that clients use.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, ResultChecks>,
}

impl ResultsConfig {
    /// A registry whose results are checked so.
    pub(crate) fn apply(&self, mut registry: RegistryBuilder) -> RegistryBuilder {
        if let Some(enforcement) = self.all.enforcement {
            registry = registry.enforcement(enforcement);
        }
        if let Some(level) = self.all.level {
            registry = registry.level(level);
        }
        for (source, checks) in &self.sources {
            registry = registry.checks_of_toolset(source, *checks);
        }
        for (tool, checks) in &self.tools {
            registry = registry.checks_of(tool, *checks);
        }
        registry
    }
}

impl PrincipalCalls {
    /// A registry with these limits.
    pub(crate) fn apply(&self, mut registry: RegistryBuilder) -> RegistryBuilder {
        let limits = |calls: &AllCalls| {
            let usual = CallLimits::default().at_once(AT_ONCE).wait(WAIT);
            waiting(
                usual,
                calls.at_once,
                calls.waiting,
                calls.wait_ms,
                calls.rate,
            )
        };
        if let Some(all) = &self.all {
            registry = registry.limits_of_each_principal(limits(all));
        }
        for (tool, calls) in &self.tools {
            registry = registry.limits_of_each_principal_for(tool, limits(calls));
        }
        registry
    }
}

/// Limits of all calls together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AllCalls {
    /// How many run at the same time: 1,024 without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<NonZeroUsize>,
    /// How many more may wait for their turn: 1,024 without this. Others are refused, and told when to come
    /// back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<usize>,
    /// How long a call may wait for its turn before it is refused, in milliseconds: 5,000 without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
    /// Most calls in a span of time. There is no such limit without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
}

/// Limits of the calls of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToolCalls {
    /// How many run at the same time: 256 without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<NonZeroUsize>,
    /// How many more may wait for their turn: 1,024 without this. Others are refused, and told when to come
    /// back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<usize>,
    /// How long a call may wait for its turn before it is refused, in milliseconds: 5,000 without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
    /// Most calls in a span of time. There is no such limit without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// How long a call may take if its contract does not say, in milliseconds. Without this, it is `call_ms`
    /// of the limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub timeout_ms: Option<u64>,
    /// Most bytes of a result: 16 MiB without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_bytes: Option<usize>,
    /// Most characters of a text for a model: 16,000 without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_chars: Option<usize>,
    /// Whether calls that failed are tried again, where their errors allow it. They are not without this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<Retries>,
}

impl CallsConfig {
    /// The limits of all calls together.
    pub(crate) fn of_all(&self) -> CallLimits {
        let all = &self.all;
        let usual = CallLimits::default().at_once(AT_ONCE).wait(WAIT);
        waiting(usual, all.at_once, all.waiting, all.wait_ms, all.rate)
    }

    /// Most bytes of a result of any tool.
    pub(crate) fn largest_result(&self) -> usize {
        let each = self.each.result_bytes.unwrap_or(CallLimits::RESULT_BYTES);
        let tools = self.tools.values().chain(self.sources.values());
        let tools = tools.filter_map(|tool| tool.result_bytes);
        tools.chain([each]).max().unwrap_or(each)
    }

    /// The limits of each tool, which may take so long.
    pub(crate) fn of_each(&self, timeout: Duration) -> CallLimits {
        let usual = CallLimits::default().wait(WAIT).timeout(timeout);
        self.each.over(usual)
    }

    /// The limits of each tool of single sources.
    pub(crate) fn of_sources(&self, timeout: Duration) -> impl Iterator<Item = (&str, CallLimits)> {
        let each = self.of_each(timeout);
        let sources = self.sources.iter();
        sources.map(move |(name, source)| (&**name, source.over(each.clone())))
    }

    /// The limits of single tools, which are of these sources.
    pub(crate) fn of_tools(
        &self,
        timeout: Duration,
        sources: &[Source],
    ) -> impl Iterator<Item = (&str, CallLimits)> {
        let each = self.of_each(timeout);
        let tools = self.tools.iter();
        tools.map(move |(name, tool)| {
            let source = self.sources.get(source_of(name, sources));
            let others = source.map(|source| source.over(each.clone()));
            (&**name, tool.over(others.unwrap_or_else(|| each.clone())))
        })
    }
}

impl ToolCalls {
    /// These limits, and others where there is none here.
    fn over(&self, others: CallLimits) -> CallLimits {
        let mut limits = waiting(others, self.at_once, self.waiting, self.wait_ms, self.rate);
        if let Some(ms) = self.timeout_ms {
            limits = limits.timeout(Duration::from_millis(ms));
        }
        if let Some(bytes) = self.result_bytes {
            limits = limits.result_bytes(bytes);
        }
        if let Some(chars) = self.text_chars {
            limits = limits.text_chars(chars);
        }
        match self.retries.clone() {
            Some(retries) => limits.retries(retries),
            None => limits,
        }
    }
}

/// The name of the source of a tool that clients call so.
fn source_of<'a>(tool: &str, sources: &'a [Source]) -> &'a str {
    let is_its =
        |source: &&str| { tool.strip_prefix(*source) }.is_some_and(|rest| rest.starts_with("__"));
    let names = sources.iter().filter_map(Source::name).filter(is_its);
    names.max_by_key(|name| name.len()).unwrap_or("")
}

fn waiting(
    mut limits: CallLimits,
    at_once: Option<NonZeroUsize>,
    waiting: Option<usize>,
    wait_ms: Option<u64>,
    rate: Option<Rate>,
) -> CallLimits {
    if let Some(calls) = at_once {
        limits = limits.at_once(calls.get());
    }
    if let Some(calls) = waiting {
        limits = limits.waiting(calls);
    }
    if let Some(ms) = wait_ms {
        limits = limits.wait(Duration::from_millis(ms));
    }
    match rate {
        Some(rate) => limits.rate(rate),
        None => limits,
    }
}
