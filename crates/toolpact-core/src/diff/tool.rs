use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::Pointer;
use crate::contract::Contract;

use super::change::{Change, ChangeKind, Concern, Witness, WitnessKind};
use super::pairs::Pair;
use super::{Evidence, Verdict, fields, judge};

/// What changed of one tool.
#[derive(Debug, Clone)]
pub struct ToolDiff {
    old_name: Option<Box<str>>,
    new_name: Option<Box<str>>,
    changes: Vec<Change>,
}

impl ToolDiff {
    /// The changes from one contract to another, which are taken to be of the same tool, whatever their
    /// names.
    ///
    /// ```
    /// use toolpact_core::contract::Contract;
    /// use toolpact_core::diff::{ToolDiff, Verdict};
    ///
    /// let contract = |description: &str| Contract::from_json(format!(r#"{{"name": "now", "returns": "opaque",
    ///     "description": "{description}", "parameters": {{"type": "object"}}}}"#));
    /// let diff = ToolDiff::between(&contract("Tells the time.")?, &contract("Tells the time of day.")?);
    /// assert_eq!(diff.verdict(), Verdict::Documentation);
    /// assert_eq!(diff.changes()[0].to_string(), "documentation for models: the description of the tool differs");
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn between(old: &Contract, new: &Contract) -> Self {
        Self {
            old_name: Some(old.name().as_str().into()),
            new_name: Some(new.name().as_str().into()),
            changes: changes(old, new),
        }
    }

    pub(super) fn of(pair: &Pair<'_>) -> Self {
        match (pair.old, pair.new) {
            (Some(old), Some(new)) => Self::between(old, new),
            (Some(old), None) => Self::removed(old),
            (None, Some(new)) => Self::added(new),
            (None, None) => Self {
                old_name: None,
                new_name: None,
                changes: Vec::new(),
            },
        }
    }

    fn added(new: &Contract) -> Self {
        Self {
            old_name: None,
            new_name: Some(new.name().as_str().into()),
            changes: vec![Change {
                verdict: Verdict::Compatible,
                ..about_tool(ChangeKind::ToolAdded, "the tool is new".to_owned())
            }],
        }
    }

    fn removed(old: &Contract) -> Self {
        let change = about_tool(ChangeKind::ToolRemoved, "the tool is gone".to_owned());
        let reason = format!("there is no tool `{}`", old.name());
        Self {
            old_name: Some(old.name().as_str().into()),
            new_name: None,
            changes: vec![with_call(
                change,
                Evidence::new(old, old).common_call(),
                reason,
            )],
        }
    }

    /// The name, the new one if it has two.
    #[must_use]
    pub fn name(&self) -> &str {
        let name = self.new_name.as_deref().or(self.old_name.as_deref());
        name.unwrap_or_default()
    }

    /// The old name; `None` if the tool was added.
    #[must_use]
    pub fn old_name(&self) -> Option<&str> {
        self.old_name.as_deref()
    }

    /// The new name; `None` if the tool was removed.
    #[must_use]
    pub fn new_name(&self) -> Option<&str> {
        self.new_name.as_deref()
    }

    /// Whether the tool is on both sides, under two names.
    #[must_use]
    pub fn is_renamed(&self) -> bool {
        let names = self.old_name().zip(self.new_name());
        names.is_some_and(|(old, new)| old != new)
    }

    /// What changed. Empty if the contracts promise the same.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The worst of all changes.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.changes.iter().map(Change::verdict);
        verdicts.max().unwrap_or(Verdict::Same)
    }
}

fn changes(old: &Contract, new: &Contract) -> Vec<Change> {
    if old == new {
        return Vec::new();
    }
    let evidence = Evidence::new(old, new);
    let mut changes = names(old, new, &evidence);
    changes.extend(judge::arguments(old, new, &evidence));
    changes.extend(judge::results(old, new, &evidence));
    changes.extend(fields::compare(old, new, &evidence));
    if changes.is_empty() {
        let message = "the contract is written differently, and means the same".to_owned();
        changes.push(Change {
            concern: Concern::Models,
            verdict: Verdict::Documentation,
            ..about_tool(ChangeKind::Schema, message)
        });
    }
    changes
}

/// Calls by a name that the tool does not have any more are refused.
fn names(old: &Contract, new: &Contract, evidence: &Evidence<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    let (was, is) = (old.name().as_str(), new.name().as_str());
    if was != is {
        let change = Change {
            before: Some(was.into()),
            after: Some(is.into()),
            ..about_tool(
                ChangeKind::ToolRenamed,
                format!("the tool is called `{is}`, was `{was}`"),
            )
        };
        changes.push(match new.is_called(was) {
            true => Change {
                verdict: Verdict::Compatible,
                ..change
            },
            false => with_call(
                change,
                evidence.call_as(was),
                format!("there is no tool `{was}`"),
            ),
        });
    }
    let [before, after] = [old, new].map(Contract::original_name);
    if before != after {
        let message = match (before, after) {
            (_, Some(after)) => format!("its original name is `{after}`"),
            (before, None) => format!("its original name `{}` is gone", before.unwrap_or_default()),
        };
        let change = Change {
            before: before.map(Into::into),
            after: after.map(Into::into),
            ..about_tool(ChangeKind::OriginalName, message)
        };
        changes.push(match before {
            Some(name) if !new.is_called(name) => with_call(
                change,
                evidence.call_as(name),
                format!("there is no tool `{name}`"),
            ),
            _ => Change {
                verdict: Verdict::Compatible,
                ..change
            },
        });
    }
    changes
}

fn about_tool(kind: ChangeKind, message: String) -> Change {
    let place = Some(Pointer::root().key("name"));
    Change {
        kind,
        concern: Concern::Callers,
        verdict: Verdict::Unknown,
        old_place: place.clone().filter(|_| kind != ChangeKind::ToolAdded),
        new_place: place.filter(|_| kind != ChangeKind::ToolRemoved),
        before: None,
        after: None,
        message,
        witness: None,
    }
}

/// A change that breaks a call, if there is one that was accepted.
fn with_call(change: Change, call: Option<crate::json::Value>, reason: String) -> Change {
    let Some(value) = call else {
        return change;
    };
    let kind = WitnessKind::Call;
    Change {
        verdict: Verdict::Breaking,
        witness: Some(Witness {
            kind,
            value,
            reason,
        }),
        ..change
    }
}

impl Serialize for ToolDiff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tool = serializer.serialize_struct("ToolDiff", 5)?;
        tool.serialize_field("name", self.name())?;
        if self.old_name != self.new_name {
            tool.serialize_field("old_name", &self.old_name)?;
            tool.serialize_field("new_name", &self.new_name)?;
        }
        tool.serialize_field("verdict", &self.verdict())?;
        tool.serialize_field("changes", &self.changes)?;
        tool.end()
    }
}
