//! What policies decide about a call.

use std::sync::atomic::Ordering;

use cedar_policy::{AuthorizationError, Authorizer, Context, Decision, Request};
use toolpact::registry::RegisteredTool;
use toolpact_core::Principal;

use super::entities::Parties;
use super::standing::{Open, Standing, as_str};
use super::{CallFacts, Policies, context};
use crate::verdict::{PolicyOutcome, Verdict};

impl Policies {
    /// Decides about a call of a tool.
    ///
    /// What nothing permits is denied, and so is what a forbid could not be applied to: Cedar itself leaves a
    /// policy out that fails, which would be an open door.
    #[must_use]
    pub fn decide(&self, tool: &RegisteredTool, call: CallFacts<'_>) -> Verdict {
        match &*self.standing(call.principal, tool) {
            Standing::Always(verdict) => verdict.clone(),
            Standing::Depends(open) => self
                .decide_open(open, call)
                .unwrap_or_else(|error| Verdict::denied(Vec::new(), vec![error])),
        }
    }

    /// Whether there may be a call of the tool by this caller that is not denied.
    #[must_use]
    pub fn may_call(&self, principal: &Principal, tool: &RegisteredTool) -> bool {
        match &*self.standing_once(principal, tool) {
            Standing::Always(verdict) => verdict.outcome != PolicyOutcome::Deny,
            Standing::Depends(_) => true,
        }
    }

    /// What policies use and Cedar cannot hold is an error, so that no policy can be passed by with a value that
    /// it does not see.
    fn decide_open(&self, open: &Open, call: CallFacts<'_>) -> Result<Verdict, String> {
        let context = context::read(&open.context, &call).map_err(|unreadable| {
            let path = unreadable.path();
            format!("a policy uses `{path}`, and its value cannot be one of Cedar")
        })?;
        let residual = open.residual.as_ref();
        if let Some(verdict) = residual.and_then(|residual| residual.decide(self, &context)) {
            self.evaluated.fetch_add(1, Ordering::Relaxed);
            return Ok(verdict);
        }
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.ask_cedar(&open.parties, context::to_cedar(&open.context, &context)?)
    }

    fn ask_cedar(&self, parties: &Parties, context: Context) -> Result<Verdict, String> {
        let request = Request::new(
            parties.principal.clone(),
            parties.action.clone(),
            parties.resource.clone(),
            context,
            None,
        );
        let request = request.map_err(|error| error.to_string())?;
        let response = Authorizer::new().is_authorized(&request, &self.set, &parties.entities);
        let diagnostics = response.diagnostics();
        let errored = diagnostics.errors().map(|error| match error {
            AuthorizationError::PolicyEvaluationError(error) => as_str(error.policy_id()),
        });
        let errored: Vec<&str> = errored.collect();
        if let Some(verdict) = self.unless_forbids_fail(&errored) {
            return Ok(verdict);
        }
        let errors = diagnostics.errors().map(ToString::to_string).collect();
        let deciding = self.sorted(diagnostics.reason().map(as_str));
        Ok(self.verdict(response.decision() == Decision::Allow, deciding, errors))
    }

    /// The verdict if a forbid is among the policies that failed.
    pub(super) fn unless_forbids_fail(&self, errored: &[&str]) -> Option<Verdict> {
        let is_forbid = |id: &&&str| self.info(id).is_none_or(|info| !info.is_permit);
        let forbids: Vec<&str> = errored.iter().filter(is_forbid).copied().collect();
        if forbids.is_empty() {
            return None;
        }
        let errors = forbids
            .iter()
            .map(|id| format!("the forbid `{id}` could not be applied"));
        let errors = errors.collect();
        Some(Verdict::denied(self.sorted(forbids), errors))
    }

    /// The verdict of the policies that decided. Of several permits, one that asks is enough to ask: a
    /// question cannot be avoided by what permits more.
    pub(super) fn verdict(
        &self,
        permitted: bool,
        policies: Vec<String>,
        errors: Vec<String>,
    ) -> Verdict {
        let mut infos = policies.iter().filter_map(|id| self.info(id));
        let question = infos.find_map(|info| info.ask.clone());
        let outcome = match (permitted, question) {
            (false, _) => PolicyOutcome::Deny,
            (true, Some(question)) => PolicyOutcome::Ask(question),
            (true, None) => PolicyOutcome::Allow,
        };
        Verdict {
            outcome,
            policies,
            errors,
        }
    }
}
