//! Whether a call may run.

use std::future::Future as _;
use std::pin::pin;
use std::sync::OnceLock;
use std::task::Poll;
use std::time::Instant;

use toolpact_core::json::Value;
use toolpact_core::returns::{ErrorKind, StandardError};

use super::approver::Said;
use super::execute::deadline_passed;
use super::run::Steps;
use super::{Answer, ApprovalRecord, Decision, GuardDecision, Proposal, Verdict, catch_panic};
use crate::ToolError;
use crate::elicitation::{APPROVAL, Form, Question, SharedResponder};

/// The detail of an error that says why there is no approval: `denied`, `expired` or `unavailable`.
const DETAIL: &str = "approval";

impl Steps<'_> {
    /// Asks the guard, and whom the guard wants asked. What came of it is noted in `decided`. Returns when the call
    /// has to be done.
    pub(super) async fn ask(
        &self,
        args: &Value,
        deadline: Option<Instant>,
        decided: &mut Option<GuardDecision>,
    ) -> Result<Option<Instant>, ToolError> {
        let mut asking = pin!(self.decide(args, deadline, decided));
        let tool = self.entry.contract().name().as_str();
        // A guard that panics has not allowed the call.
        std::future::poll_fn(|poller| {
            let polled = catch_panic(tool, || asking.as_mut().poll(poller));
            polled.unwrap_or_else(|panicked| Poll::Ready(Err(panicked)))
        })
        .await
    }

    async fn decide(
        &self,
        args: &Value,
        deadline: Option<Instant>,
        decided: &mut Option<GuardDecision>,
    ) -> Result<Option<Instant>, ToolError> {
        let Some(guard) = self.session.registry.guard() else {
            return Ok(deadline);
        };
        let proposal = Proposal {
            tool: self.entry,
            args,
            call_id: self.request.id,
            principal: &self.session.principal,
            session: self.session.id,
            client: self.request.client.as_ref(),
            policies: OnceLock::new(),
        };
        let deciding = async { Ok(guard.decide(&proposal).await) };
        let decision = self.within(deadline, deciding).await?;
        let verdict = match &decision {
            Decision::Allow => Verdict::Allowed,
            Decision::Deny(_) => Verdict::Denied,
            _ => Verdict::NotApproved,
        };
        let decided = decided.insert(GuardDecision {
            verdict,
            policies: proposal.policies.get().cloned().unwrap_or_default(),
            approval: None,
        });
        let (question, responder) = match decision {
            Decision::Allow => return Ok(deadline),
            Decision::Deny(reason) => return Err(ToolError::new(ErrorKind::NotAllowed, reason)),
            Decision::Ask(question) => (question, None),
            Decision::AskCaller(question) => {
                let nobody = || not_approved(&Answer::unavailable());
                (question, Some(self.responder().ok_or_else(nobody)?))
            }
            Decision::AskCallerOrApprover(question) => (question, self.responder()),
        };
        let Some(responder) = responder else {
            return { self.ask_approver(&proposal, &question, deadline, decided) }.await;
        };
        let answer = self.within(deadline, ask_caller(&responder, question));
        decided.approved_if(answer.await?)?;
        Ok(deadline)
    }

    async fn ask_approver(
        &self,
        proposal: &Proposal<'_>,
        question: &str,
        deadline: Option<Instant>,
        decided: &mut GuardDecision,
    ) -> Result<Option<Instant>, ToolError> {
        let Some(approver) = self.session.registry.approver() else {
            return Err(not_approved(&Answer::unavailable()));
        };
        let asking = approver.approve(proposal, question);
        // From now on, so that whoever was asked before sees that the time is over.
        let patience = approver.patience();
        let until = match patience {
            Some(time) => {
                let end = Instant::now().checked_add(time);
                [end, self.latest()].into_iter().flatten().min()
            }
            None => deadline,
        };
        let answer = tokio::select! {
            biased;
            answer = asking => answer,
            () = self.cancelled() => return Err(ToolError::new(ErrorKind::Cancelled, "")),
            () = deadline_passed(until) => Answer::expired(),
        };
        decided.approved_if(answer)?;
        Ok(match patience {
            Some(_) => self.deadline(Instant::now()),
            None => deadline,
        })
    }

    /// Who can ask the user of the caller.
    fn responder(&self) -> Option<SharedResponder> {
        let responders = self.request.responders(self.session).into_iter().flatten();
        let mut able = responders.filter(|responder| responder.0.can_ask(Question::User));
        able.next()
    }
}

impl GuardDecision {
    /// Notes what someone has said, which is an error unless the call may run.
    fn approved_if(&mut self, answer: Answer) -> Result<(), ToolError> {
        self.approval = ApprovalRecord::of(&answer);
        self.verdict = match answer.said {
            Said::Approved => Verdict::Approved,
            Said::Expired => Verdict::Expired,
            Said::Denied | Said::Unavailable(_) => Verdict::NotApproved,
        };
        match answer.said {
            Said::Approved => Ok(()),
            Said::Unavailable(Some(error)) => Err(error),
            _ => Err(not_approved(&answer)),
        }
    }
}

async fn ask_caller(responder: &SharedResponder, question: String) -> Result<Answer, ToolError> {
    let form = Form::approval(question)?;
    let answer = responder.0.ask_user(APPROVAL, &form).await?;
    Ok(match Form::approves(&answer) {
        true => Answer::approved(),
        false => Answer::denied(),
    })
}

fn not_approved(answer: &Answer) -> ToolError {
    let (why, detail) = match (&answer.said, &answer.reason) {
        (Said::Denied, Some(reason)) => (format!("it was denied: {reason}"), "denied"),
        (Said::Denied, None) => ("it was not given.".to_owned(), "denied"),
        (Said::Expired, _) => ("nobody gave it in time.".to_owned(), "expired"),
        _ => (
            "there is nobody who could give it.".to_owned(),
            "unavailable",
        ),
    };
    let message = format!("This needs an approval, and {why}");
    StandardError::new(ErrorKind::NotAllowed, &message)
        .with_detail(DETAIL, detail)
        .into()
}
