//! Whoever is asked whether a call may run.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toolpact_core::Principal;

use super::Proposal;
use crate::ToolError;
use crate::observe::LoggedPrincipal;

/// Asks someone, a person perhaps, whether a call may run. A closure that returns a `bool` is one.
pub trait Approver: Send + Sync + 'static {
    /// What they say. If this is dropped before it is done, nobody waits for the answer any longer.
    fn approve<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
        question: &'a str,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

    /// How long the answer may take. The time that a tool may take then begins after it; what the caller and the
    /// session allow for the whole call holds all the same. Without this, an answer has to come within the time that
    /// the tool may take.
    fn patience(&self) -> Option<Duration> {
        None
    }
}

impl<F> Approver for F
where
    F: Fn(&Proposal<'_>, &str) -> bool + Send + Sync + 'static,
{
    fn approve<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
        question: &'a str,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        let answer = match self(proposal, question) {
            true => Answer::approved(),
            false => Answer::denied(),
        };
        Box::pin(std::future::ready(answer))
    }
}

/// What someone who was asked has said.
#[derive(Debug)]
#[must_use]
pub struct Answer {
    pub(super) said: Said,
    pub(super) by: Option<Principal>,
    pub(super) reason: Option<String>,
}

#[derive(Debug)]
pub(super) enum Said {
    Approved,
    Denied,
    Expired,
    Unavailable(Option<ToolError>),
}

impl Answer {
    /// It may run.
    pub fn approved() -> Self {
        Self::of(Said::Approved)
    }

    /// It may not.
    pub fn denied() -> Self {
        Self::of(Said::Denied)
    }

    /// Nobody has said anything in time, so it may not.
    pub fn expired() -> Self {
        Self::of(Said::Expired)
    }

    /// Nobody can be asked, so it may not.
    pub fn unavailable() -> Self {
        Self::of(Said::Unavailable(None))
    }

    /// Nobody can be asked now, and this is what the caller reads.
    pub fn not_now(error: ToolError) -> Self {
        Self::of(Said::Unavailable(Some(error)))
    }

    /// Whether it may run.
    #[must_use]
    pub fn is_approved(&self) -> bool {
        matches!(self.said, Said::Approved)
    }

    fn of(said: Said) -> Self {
        Self {
            said,
            by: None,
            reason: None,
        }
    }

    /// Who says so, for the logs.
    pub fn by(mut self, principal: Principal) -> Self {
        self.by = Some(principal);
        self
    }

    /// Why. It is in the logs, and the caller of a call that was denied reads it.
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }
}

/// Who approved or denied a call, and when, for the logs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ApprovalRecord {
    /// Who it was.
    pub by: LoggedPrincipal,
    /// When, as in RFC 3339.
    pub time: String,
    /// Why, if they said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl ApprovalRecord {
    /// Of an answer that says who gave it.
    pub(super) fn of(answer: &Answer) -> Option<Self> {
        Some(Self {
            by: answer.by.as_ref()?.into(),
            time: jiff::Timestamp::now().to_string(),
            reason: answer.reason.clone(),
        })
    }
}
