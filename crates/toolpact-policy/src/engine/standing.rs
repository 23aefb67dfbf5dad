//! What can be said about a caller and a tool before there is a call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cedar_policy::{Authorizer, Decision, Effect, PartialResponse, Policy, PolicyId, Request};
use toolpact::registry::RegisteredTool;
use toolpact_core::Principal;

use super::Policies;
use super::entities::Parties;
use super::residual::Residual;
use crate::action::action_of;
use crate::shape::{self, Shape};
use crate::verdict::Verdict;

/// What the policies say about all calls of a tool by a caller.
pub(super) enum Standing {
    /// The same about each.
    Always(Verdict),
    /// It depends on the call.
    Depends(Box<Open>),
}

/// What is needed to decide about calls.
pub(super) struct Open {
    pub(super) parties: Parties,
    /// What policies use of the context.
    pub(super) context: Shape,
    /// `None` if policies fail whatever the call is, of which Cedar says why.
    pub(super) residual: Option<Residual>,
}

/// What is made of a tool once.
struct PolicyTool {
    /// That of the context of its calls.
    context: Shape,
    /// No other tool of this process has it.
    number: u64,
}

impl PolicyTool {
    fn of(tool: &RegisteredTool) -> &Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        tool.extension(|| Self {
            context: { shape::of_contract(&action_of(tool), tool.contract()).0 }.context(),
            number: NEXT.fetch_add(1, Ordering::Relaxed),
        })
    }
}

impl Policies {
    /// What holds for all calls of a tool by a caller. It is remembered for the next call.
    pub(super) fn standing(&self, principal: &Principal, tool: &RegisteredTool) -> Arc<Standing> {
        let number = PolicyTool::of(tool).number;
        if let Some(known) = self.decisions.get(principal, number) {
            return known;
        }
        let standing = Arc::new(self.look(principal, tool));
        self.decisions.insert(principal, number, &standing);
        standing
    }

    /// The same for somebody who looks at all tools, of which they may call few: nothing is remembered.
    pub(super) fn standing_once(
        &self,
        principal: &Principal,
        tool: &RegisteredTool,
    ) -> Arc<Standing> {
        let known = self.decisions.get(principal, PolicyTool::of(tool).number);
        known.unwrap_or_else(|| Arc::new(self.look(principal, tool)))
    }

    fn look(&self, principal: &Principal, tool: &RegisteredTool) -> Standing {
        let parties = match Parties::new(principal, tool, &self.patterns) {
            Ok(parties) => parties,
            Err(error) => return Standing::Always(Verdict::denied(Vec::new(), vec![error])),
        };
        // Without a context, everything that depends on it stays open.
        let request = Request::builder()
            .principal(parties.principal.clone())
            .action(parties.action.clone())
            .resource(parties.resource.clone())
            .build();
        let response =
            Authorizer::new().is_authorized_partial(&request, &self.set, &parties.entities);
        let errored: Vec<&str> = response.definitely_errored().map(as_str).collect();
        if let Some(verdict) = self.unless_forbids_fail(&errored) {
            return Standing::Always(verdict);
        }
        let satisfied: Vec<Policy> = response.definitely_satisfied().collect();
        let decision = response.decision();
        let effect = match decision {
            Some(Decision::Allow) => Effect::Permit,
            Some(Decision::Deny) => Effect::Forbid,
            None => return self.open(parties, &response, tool),
        };
        // A permit that is still open may want someone to be asked.
        let open_questions = response.nontrivial_residuals().any(|policy| {
            let info = self.info(as_str(policy.id()));
            effect == Effect::Permit && info.is_none_or(|info| info.ask.is_some())
        });
        if open_questions {
            return self.open(parties, &response, tool);
        }
        let deciding = satisfied.iter().filter(|policy| policy.effect() == effect);
        let deciding = self.sorted(deciding.map(|policy| as_str(policy.id())));
        Standing::Always(self.verdict(effect == Effect::Permit, deciding, Vec::new()))
    }

    fn open(
        &self,
        parties: Parties,
        response: &PartialResponse,
        tool: &RegisteredTool,
    ) -> Standing {
        let context = self.uses.part_of(&PolicyTool::of(tool).context);
        let has_failed = response.definitely_errored().next().is_some();
        let residual = (!has_failed).then(|| Residual::new(self, response, &context));
        Standing::Depends(Box::new(Open {
            parties,
            context,
            residual,
        }))
    }
}

impl Standing {
    /// Roughly how much memory it takes besides what is known about the caller.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Always(_) => 0,
            Self::Depends(open) => {
                let residual = open.residual.as_ref().map_or(0, Residual::bytes);
                residual + open.context.bytes()
            }
        }
    }
}

pub(super) fn as_str(id: &PolicyId) -> &str {
    id.as_ref()
}
