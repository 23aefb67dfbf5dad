use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::observe::{CallDetails, Detail, Redact};

/// What is written down of calls, where, and how safely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditConfig {
    /// The directory of the files, which this server alone writes to.
    pub directory: PathBuf,
    /// How much of the arguments is written: their digest without this.
    #[serde(default)]
    pub arguments: Detail,
    /// How much of the results is written: their digest without this. The result of a call that failed is its error.
    #[serde(default)]
    pub results: Detail,
    /// The fields whose values are left out where the detail is `redacted`, at every depth and whatever the case of
    /// their names. Without this, all values are, and the names stay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redact: Vec<String>,
    /// Single tools, by the names that clients use. What is not said here is as for all.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, ToolAudit>,
    /// When a new file is begun.
    #[serde(default)]
    pub rotate: Rotate,
    /// Which files are kept: all of them without this.
    #[serde(default, skip_serializing_if = "Keep::is_all")]
    pub keep: Keep,
    /// What happens to calls if no line can be written: they are refused without this.
    #[serde(default)]
    pub when_full: WhenFull,
    /// When the disk is told to keep what was written, even if the power fails: every second without this.
    #[serde(default)]
    pub fsync: Fsync,
    /// Whether what comes with whole results is written, too.
    #[serde(skip)]
    pub(crate) beside: bool,
}

/// What is written down of the calls of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToolAudit {
    /// How much of the arguments is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Detail>,
    /// How much of the results is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<Detail>,
    /// The fields whose values are left out, in place of those for all tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redact: Option<Vec<String>>,
}

/// When a new file is begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rotate {
    /// When a file would have more bytes: 64 MiB without this. A line that is longer has a file of its own.
    pub bytes: NonZeroU64,
    /// When a day begins, in UTC.
    pub daily: bool,
}

/// Which files are kept. That one is removed is written down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Keep {
    /// At most so many files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<NonZeroU32>,
    /// Files that were begun in the last so many days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<NonZeroU32>,
}

/// What happens to calls if no line can be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhenFull {
    /// They are refused until lines can be written again.
    #[default]
    Refuse,
    /// They go on. The log and a metric say so, and how many lines are lost is written down later.
    Continue,
}

/// When the disk is told to keep what was written. What `kill -9` does not lose does not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fsync {
    /// When the system sees fit.
    None,
    /// Every second.
    #[default]
    Interval,
    /// Before an answer leaves.
    Each,
}

impl AuditConfig {
    /// An audit in this directory, with digests of arguments and results.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            arguments: Detail::default(),
            results: Detail::default(),
            redact: Vec::new(),
            tools: BTreeMap::new(),
            rotate: Rotate::default(),
            keep: Keep::default(),
            when_full: WhenFull::default(),
            fsync: Fsync::default(),
            beside: false,
        }
    }

    /// What is written of calls of tools that are not named.
    pub(crate) fn details(&self) -> CallDetails {
        self.details_of(&ToolAudit::default())
    }

    pub(crate) fn details_of(&self, tool: &ToolAudit) -> CallDetails {
        CallDetails {
            args: tool.arguments.unwrap_or(self.arguments),
            result: tool.results.unwrap_or(self.results),
            redact: match tool.redact.as_ref().unwrap_or(&self.redact) {
                fields if fields.is_empty() => Redact::everything(),
                fields => Redact::fields(fields.iter().map(String::as_str)),
            },
            beside: self.beside,
        }
    }

    /// The fields of the arguments of a tool whose values are left out, by the name that clients use.
    #[must_use]
    pub fn redacted_fields(&self, tool: &str) -> &[String] {
        let own = self.tools.get(tool).and_then(|tool| tool.redact.as_ref());
        own.unwrap_or(&self.redact)
    }

    /// Whether fields are named that nothing is written without: the tool, or nothing for `redact` of all.
    #[must_use]
    pub fn useless_redact(&self) -> Option<Option<&str>> {
        let uses = |details: &CallDetails| {
            details.args == Detail::Redacted || details.result == Detail::Redacted
        };
        let mut tools = self.tools.iter();
        let own = tools.find(|(_, tool)| tool.redact.is_some() && !uses(&self.details_of(tool)));
        if let Some((name, _)) = own {
            return Some(Some(name));
        }
        let of_all = self.tools.values().filter(|tool| tool.redact.is_none());
        let mut details = of_all.map(|tool| self.details_of(tool));
        let is_used = uses(&self.details()) || details.any(|details| uses(&details));
        (!self.redact.is_empty() && !is_used).then_some(None)
    }
}

impl Default for Rotate {
    fn default() -> Self {
        Self {
            bytes: NonZeroU64::MIN.saturating_add((64 << 20) - 1),
            daily: true,
        }
    }
}

impl Keep {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_all(&self) -> bool {
        *self == Self::default()
    }
}
