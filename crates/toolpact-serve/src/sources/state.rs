use schemars::JsonSchema;
use serde::Serialize;
use toolpact::core::diff::ToolDiff;
use toolpact::core::lock::{Difference, DifferenceKind};
use toolpact::core::model::Digest;

use super::shelf::Verdict;

/// How a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceState {
    /// It has not been there yet.
    Starting,
    /// Its tools are served.
    Ready,
    /// It does not start, and is tried again. What it had before is still served.
    Failing,
}

/// How a source is, for everybody. The log says more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Health {
    /// Its namespace, or what kind it is.
    pub source: String,
    /// How it is.
    pub state: SourceState,
    /// How many tools it serves.
    pub tools: usize,
    /// How many tools it has that are not served.
    pub left_out: usize,
    /// Why they are not served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<LeftOut>,
    /// What is not as the lock says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock: Option<LockHealth>,
    /// Why it fails, in general: what is named in its config may be secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// How many runtimes a grid has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtimes: Option<usize>,
}

/// Tools that are not served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct LeftOut {
    /// Why they are not.
    pub reason: LeftOutReason,
    /// How many there are, as far as is known.
    pub tools: usize,
    /// The names of the first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// Why tools are not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftOutReason {
    /// They cannot be used. The log says why.
    Invalid,
    /// Others have their names.
    NameTaken,
    /// Sources before it may have their names, and have not started yet.
    Waiting,
    /// There are more than `limits` allows.
    Limit,
    /// They are not what the lock says.
    Quarantined,
}

/// How the tools of a source differ from its lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct LockHealth {
    /// How many tools are not served, since they are not what was agreed on.
    pub quarantined: usize,
    /// How many tools that were agreed on are gone.
    pub gone: usize,
    /// The first of both.
    pub differences: Vec<LockDifference>,
}

/// A tool that is not as the lock says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct LockDifference {
    /// What its source calls it.
    pub tool: String,
    /// What happened: `changed`, `added`, `removed` or `renamed`.
    pub change: &'static str,
    /// What it was called before, if it is there under another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// What it is called now, if it is gone under this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    /// The digest of what was agreed on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked: Option<String>,
    /// The digest of what is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The first places where the two contracts differ, as JSON Pointers: `/description`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// What a change means for those who use the tool: `documentation`, `compatible`, `breaking` or `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// What has changed, and for whom.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
}

impl LockHealth {
    /// Most differences that are told, and places of each.
    pub(super) const TOLD: usize = 20;

    /// `None` if all is as the lock says.
    pub(super) fn of(verdict: &Verdict) -> Option<Self> {
        let all = &*verdict.differences;
        let gone = all.iter().filter(|one| !one.is_there()).count();
        let meanings = verdict.meanings.iter().map(Option::as_ref);
        let told = all.iter().take(Self::TOLD);
        let told = told.zip(meanings.chain(std::iter::repeat(None)));
        (!all.is_empty()).then(|| Self {
            quarantined: all.len() - gone,
            gone,
            differences: told
                .map(|(one, meaning)| LockDifference::of(one, meaning))
                .collect(),
        })
    }
}

impl LockDifference {
    fn of(difference: &Difference, meaning: Option<&ToolDiff>) -> Self {
        let text = |digest: Option<Digest>| digest.map(|digest| digest.to_string());
        let (was, now) = match &difference.kind {
            DifferenceKind::RenamedFrom(was) => (Some(was.to_string()), None),
            DifferenceKind::RenamedTo(now) => (None, Some(now.to_string())),
            _ => (None, None),
        };
        let places = difference.places.iter().take(LockHealth::TOLD);
        Self {
            tool: difference.tool.to_string(),
            change: difference.kind.as_str(),
            was,
            now,
            locked: text(difference.locked),
            found: text(difference.found),
            places: places.map(ToString::to_string).collect(),
            verdict: meaning.map(|diff| diff.verdict().to_string()),
            changes: meaning.map_or(Vec::new(), |diff| {
                let changes = diff.changes().iter().take(LockHealth::TOLD);
                changes.map(ToString::to_string).collect()
            }),
        }
    }
}

impl Health {
    /// Whether all is served that could be, and as it was agreed on: what is invalid is so for ever.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        let is_harmless = |one: &LeftOut| one.reason == LeftOutReason::Invalid;
        let is_ready = self.state == SourceState::Ready && self.lock.is_none();
        is_ready && self.reasons.iter().all(is_harmless)
    }
}

impl LeftOut {
    /// Most names that are told.
    const NAMES: usize = 10;

    /// `None` if there are none.
    pub(super) fn new<N: ToString>(reason: LeftOutReason, names: &[N]) -> Option<Self> {
        let first = names.iter().take(Self::NAMES).map(ToString::to_string);
        (!names.is_empty()).then(|| Self {
            reason,
            tools: names.len(),
            names: first.collect(),
        })
    }

    /// The same without names.
    pub(super) fn counted(reason: LeftOutReason, tools: usize) -> Option<Self> {
        let names = Vec::new();
        (tools > 0).then_some(Self {
            reason,
            tools,
            names,
        })
    }
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (tools, s) = (self.tools, if self.tools == 1 { "" } else { "s" });
        let why = match self.reason {
            LeftOutReason::Invalid => "cannot be used",
            LeftOutReason::NameTaken => "left out, since others have their names",
            LeftOutReason::Waiting => "waiting for the sources before this one",
            LeftOutReason::Limit => "left out, since there are more than the limits allow",
            LeftOutReason::Quarantined => "in quarantine, not being what the lock says",
        };
        write!(f, "{tools} tool{s} {why}")?;
        match self.names.is_empty() {
            true => Ok(()),
            false => write!(f, " ({})", self.names.join(", ")),
        }
    }
}
