use jiff::{SignedDuration, Timestamp};
use toolpact::call::Proposal;
use toolpact::observe::{LoggedPrincipal, Redact};
use toolpact_audit::AuditConfig;
use toolpact_policy::{HeldApproval, action_of};

use super::Outcome;

/// A call that is held, as approvers see it.
#[derive(Debug, Clone)]
pub(crate) struct HeldCall {
    /// Nobody has seen it before, also not before the server was started again.
    pub(crate) id: String,
    /// The tool, by the name that clients use.
    pub(crate) tool: String,
    pub(crate) principal: LoggedPrincipal,
    pub(crate) client: Option<String>,
    pub(crate) call_id: Option<String>,
    pub(crate) session: u64,
    pub(crate) question: String,
    /// Their JSON, without what is redacted; the beginning of it if it is too long.
    pub(crate) arguments: String,
    pub(crate) is_cut: bool,
    pub(crate) since: Timestamp,
    pub(crate) until: Timestamp,
}

/// Most bytes of the arguments that are shown.
const MOST: usize = 16_000;

impl HeldCall {
    /// Without randomness there is no id that could be trusted.
    pub(super) fn new(
        proposal: &Proposal<'_>,
        question: &str,
        config: &HeldApproval,
        audit: Option<&AuditConfig>,
    ) -> Option<Self> {
        let tool = action_of(proposal.tool());
        let by_audit = audit.map_or(&[][..], |audit| audit.redacted_fields(&tool));
        let fields: Vec<&str> = { config.redact.iter().chain(by_audit) }
            .map(String::as_str)
            .collect();
        let redact = match fields.is_empty() {
            true => Redact::nothing(),
            false => Redact::fields(fields),
        };
        let mut arguments = redact.apply(proposal.args().root());
        let is_cut = arguments.len() > MOST;
        if is_cut {
            let end = (0..=MOST)
                .rev()
                .find(|end| arguments.is_char_boundary(*end));
            arguments.truncate(end.unwrap_or(0));
        }
        let since = Timestamp::now();
        let timeout = SignedDuration::try_from(config.timeout()).unwrap_or(SignedDuration::MAX);
        Some(Self {
            id: new_id()?,
            tool,
            principal: proposal.principal().into(),
            client: proposal.client().map(ToString::to_string),
            call_id: proposal.call_id().map(ToOwned::to_owned),
            session: proposal.session(),
            question: question.to_owned(),
            arguments,
            is_cut,
            since,
            until: since.checked_add(timeout).unwrap_or(Timestamp::MAX),
        })
    }

    /// What came of it, in the log.
    pub(super) fn log(
        &self,
        outcome: Outcome,
        by: Option<&toolpact::Principal>,
        reason: Option<&str>,
    ) {
        let (id, tool, principal) = (&self.id, &self.tool, &self.principal);
        let (call, outcome) = (self.call_id.as_deref(), outcome.as_str());
        let by = by.map(tracing::field::display);
        tracing::info!(
            target: "toolpact::policy",
            id, tool, %principal, call, outcome, by, reason, "a call that needs an approval"
        );
    }
}

/// An id that is short enough to be typed, and that no call before has had.
fn new_id() -> Option<String> {
    let mut bytes = [0; 8];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Some(format!("{:016x}", u64::from_be_bytes(bytes))),
        Err(error) => {
            tracing::error!(%error, "there is no randomness, so no call can be held");
            None
        }
    }
}
