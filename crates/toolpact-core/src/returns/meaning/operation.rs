//! `OperationStatus`.

use std::cmp::Ordering;

use super::numbers::whole;
use super::{Broken, Facts, Found, formats, instant};
use crate::json::Node;
use crate::violation::rules::meaning as rules;

/// The outcome, progress and times of an operation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Operation {
    pub(crate) outcome: Option<Outcome>,
    pub(crate) result: bool,
    pub(crate) error: bool,
    pub(crate) current_step: Option<i128>,
    pub(crate) total_steps: Option<i128>,
    /// Times of RFC 3339.
    pub(crate) created_at: Option<Box<str>>,
    pub(crate) updated_at: Option<Box<str>>,
    pub(crate) completed_at: Option<Box<str>>,
}

/// The outcome of an operation that is finished or has not begun.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Outcome {
    Pending,
    Completed,
    Failed,
}

impl Outcome {
    /// `None` for a status that says nothing of a result or an error: there may be part of a result.
    pub(super) fn of_status(status: &[u8]) -> Option<Self> {
        match status {
            b"pending" => Some(Self::Pending),
            b"completed" => Some(Self::Completed),
            b"failed" => Some(Self::Failed),
            _ => None,
        }
    }
}

impl Operation {
    pub(super) fn of(value: Node<'_>) -> Self {
        let status = value.get("status").and_then(Node::as_str);
        let step = |key| whole(value.get("progress")?, key);
        // Another rule reports invalid times.
        let time = |key| {
            let node: Node<'_> = value.get(key)?;
            let time = node
                .as_str()
                .filter(|_| formats::DATE_TIME.accepts_node(node))?;
            Some(time.into())
        };
        Self {
            outcome: status.and_then(|status| Outcome::of_status(status.as_bytes())),
            result: value.get("result").is_some(),
            error: value.get("error").is_some(),
            current_step: step("current_step"),
            total_steps: step("total_steps"),
            created_at: time("created_at"),
            updated_at: time("updated_at"),
            completed_at: time("completed_at"),
        }
    }

    fn outcome(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        let Some(outcome) = self.outcome else {
            return;
        };
        let completed = matches!(outcome, Outcome::Completed);
        if self.result != completed {
            tell(Broken::beside(&rules::OPERATION_RESULT, "result", "status"));
        }
        let pending = matches!(outcome, Outcome::Pending);
        if self.error == completed && !pending {
            tell(Broken::beside(&rules::OPERATION_ERROR, "error", "status"));
        }
    }

    fn steps(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        if let (Some(current), Some(total)) = (self.current_step, self.total_steps)
            && current > total
        {
            tell(Broken::wrong(
                &rules::OPERATION_STEPS,
                &["progress", "current_step"],
                format_args!("at most `total_steps`, {total}"),
                Found::Value(&current),
            ));
        }
    }

    /// Nothing is updated or completed before it is created.
    fn times(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        let Some(created) = self.created_at.as_deref() else {
            return;
        };
        let later: [(&'static [&'static str], _); 2] = [
            (&["updated_at"], &self.updated_at),
            (&["completed_at"], &self.completed_at),
        ];
        for (at, time) in later {
            let Some(time) = time.as_deref() else {
                continue;
            };
            if instant::compare(created, time) == Some(Ordering::Greater) {
                tell(Broken::wrong(
                    &rules::OPERATION_TIMES,
                    at,
                    format_args!("no time before `created_at`, {created}"),
                    Found::Said(&time),
                ));
            }
        }
    }
}

impl Facts for Operation {
    fn broken(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        self.outcome(tell);
        self.steps(tell);
        self.times(tell);
    }
}
