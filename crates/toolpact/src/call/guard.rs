use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use toolpact_core::Principal;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;

use super::ApprovalRecord;
use crate::registry::RegisteredTool;
use crate::session::ClientInfo;

/// Decides about each call before it runs.
///
/// A closure is one. A call that it denies has the error PERMISSION_DENIED as its result.
pub trait CallGuard: Send + Sync + 'static {
    /// Whether the call may run. The arguments have been checked.
    fn decide<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>>;
}

/// A call that would run if the guard lets it.
#[derive(Debug)]
pub struct Proposal<'a> {
    pub(crate) tool: &'a RegisteredTool,
    pub(crate) args: &'a Value,
    pub(crate) call_id: Option<&'a str>,
    pub(crate) principal: &'a Principal,
    pub(crate) session: u64,
    pub(crate) client: Option<&'a ClientInfo>,
    /// The policies that decided, if the guard says which.
    pub(crate) policies: OnceLock<Vec<String>>,
}

/// What was decided about a call before it ran, for the logs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct GuardDecision {
    /// Whether it may run, and who said so.
    pub verdict: Verdict,
    /// The policies that decided, if the guard says which: see [`Proposal::decided_by`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<String>,
    /// Who approved or denied it, if someone was asked and is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalRecord>,
}

/// Whether a call may run, and who said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// The guard allows it.
    Allowed,
    /// The guard denies it.
    Denied,
    /// Who was asked has approved it.
    Approved,
    /// Who had to be asked has not approved it, or nobody could be asked.
    NotApproved,
    /// Who had to be asked has not answered in time.
    Expired,
}

/// What a guard decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It may run.
    Allow,
    /// It may not. The model reads the reason.
    Deny(String),
    /// The [`Approver`](super::Approver) has to be asked, with this question. If there is none, it may not run.
    Ask(String),
    /// The user of the caller has to be asked, with this question, through the [`Responder`] of the
    /// call. The caller is trusted to really ask.
    ///
    /// [`Responder`]: crate::elicitation::Responder
    AskCaller(String),
    /// The same, and if the caller cannot ask its user, the [`Approver`](super::Approver) has to be asked.
    AskCallerOrApprover(String),
}

impl Proposal<'_> {
    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &RegisteredTool {
        self.tool
    }

    /// What is promised about the tool.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        self.tool.contract()
    }

    /// The arguments.
    #[must_use]
    pub fn args(&self) -> &Value {
        self.args
    }

    /// The identifier that the caller gave the call.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        self.call_id
    }

    /// The toolset of the tool. It is empty for tools that were registered without one.
    #[must_use]
    pub fn toolset(&self) -> &str {
        self.tool.toolset()
    }

    /// Who makes the call.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        self.principal
    }

    /// Names the policies that decide, for the logs. Callers do not read them. What was said first counts.
    pub fn decided_by<N: Into<String>>(&self, policies: impl IntoIterator<Item = N>) {
        let policies = policies.into_iter().map(Into::into).collect();
        drop(self.policies.set(policies));
    }

    /// The client that the call is made with, if that is known. It is what the client says, and nobody has verified
    /// it.
    #[must_use]
    pub fn client(&self) -> Option<&ClientInfo> {
        self.client
    }

    /// The number of the session that the call is made in.
    #[must_use]
    pub fn session(&self) -> u64 {
        self.session
    }
}

impl<F> CallGuard for F
where
    F: Fn(&Proposal<'_>) -> Decision + Send + Sync + 'static,
{
    fn decide<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(std::future::ready(self(proposal)))
    }
}
