//! Policies as the guard of a registry.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use toolpact::call::{CallGuard, Decision, Proposal};
use toolpact::registry::{RegisteredTool, ToolFilter};
use toolpact_core::Principal;

use crate::verdict::{PolicyOutcome, Verdict};
use crate::{CallFacts, Policies};

/// Guards the calls of a registry by policies, and hides tools from callers who may not call them at all. Cloning
/// is cheap, and clones have the same policies. Until it has policies, everything is denied.
///
/// ```
/// use toolpact::Registry;
/// use toolpact_policy::PolicyGuard;
///
/// let guard = PolicyGuard::default();
/// let registry = Registry::builder()
///     .guard(guard.clone())
///     .tool_filter(guard.clone())
///     .build();
/// // Then `guard.replace(Policies::read(&config)?)`, and `registry.refresh()`.
/// # drop(registry);
/// ```
#[derive(Debug, Clone, Default)]
pub struct PolicyGuard {
    state: Arc<RwLock<State>>,
}

#[derive(Debug, Default)]
struct State {
    policies: Option<Arc<Policies>>,
    asks: Asks,
}

/// Who is asked where a policy says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Asks {
    /// The approver of the registry.
    #[default]
    Approver,
    /// The user of the caller, through the caller, which is trusted to really ask.
    Caller,
    /// The same, and the approver of the registry if the caller cannot ask.
    CallerOrApprover,
}

/// What callers are told. What decided is in the log.
const DENIED: &str = "You are not allowed to make this call.";

impl PolicyGuard {
    /// With another who is asked.
    #[must_use]
    pub fn asking(self, asks: Asks) -> Self {
        self.ask(asks);
        self
    }

    /// Asks others from now on.
    pub fn ask(&self, asks: Asks) {
        self.write().asks = asks;
    }

    /// Goes on with other policies. Call [`Registry::refresh`](toolpact::Registry::refresh) afterwards, so that
    /// callers are told which tools they have now.
    pub fn replace(&self, policies: Policies) {
        self.write().policies = Some(Arc::new(policies));
    }

    /// The policies that are in force.
    #[must_use]
    pub fn policies(&self) -> Option<Arc<Policies>> {
        self.read().policies.clone()
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn decision(&self, proposal: &Proposal<'_>) -> Decision {
        let Some(policies) = self.policies() else {
            tracing::error!(target: "toolpact::policy", "a call is denied, since there are no policies yet");
            return Decision::Deny(DENIED.to_owned());
        };
        let verdict = policies.decide(
            proposal.tool(),
            CallFacts {
                principal: proposal.principal(),
                args: proposal.args(),
                session: proposal.session(),
                client: proposal.client(),
            },
        );
        log(proposal, &verdict);
        proposal.decided_by(verdict.policies);
        match verdict.outcome {
            PolicyOutcome::Allow => Decision::Allow,
            PolicyOutcome::Deny => Decision::Deny(DENIED.to_owned()),
            PolicyOutcome::Ask(question) => match self.read().asks {
                Asks::Approver => Decision::Ask(question),
                Asks::Caller => Decision::AskCaller(question),
                Asks::CallerOrApprover => Decision::AskCallerOrApprover(question),
            },
        }
    }
}

fn log(proposal: &Proposal<'_>, verdict: &Verdict) {
    let (tool, toolset) = (proposal.contract().name(), proposal.toolset());
    let (principal, session) = (proposal.principal(), proposal.session());
    let (outcome, policies) = (verdict.outcome.as_str(), &verdict.policies);
    let (call, errors) = (proposal.call_id(), &verdict.errors);
    match verdict.outcome {
        PolicyOutcome::Deny => tracing::info!(
            target: "toolpact::policy",
            %tool, toolset, %principal, session, call, outcome, ?policies, ?errors, "a call is denied"
        ),
        _ => tracing::debug!(
            target: "toolpact::policy",
            %tool, toolset, %principal, session, call, outcome, ?policies, ?errors, "a call is decided"
        ),
    }
}

impl CallGuard for PolicyGuard {
    fn decide<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(std::future::ready(self.decision(proposal)))
    }
}

impl ToolFilter for PolicyGuard {
    fn sees(&self, principal: &Principal, tool: &RegisteredTool) -> bool {
        let policies = self.policies();
        policies.is_some_and(|policies| policies.may_call(principal, tool))
    }
}
