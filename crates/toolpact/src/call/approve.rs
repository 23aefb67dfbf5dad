//! Whether a call may run.

use std::future::Future as _;
use std::pin::pin;
use std::sync::OnceLock;
use std::task::Poll;

use toolpact_core::json::Value;
use toolpact_core::returns::ErrorKind;

use super::{CallRequest, Decision, GuardDecision, Proposal, Verdict, catch_panic};
use crate::ToolError;
use crate::elicitation::{APPROVAL, Form, Question};
use crate::registry::RegisteredTool;
use crate::session::SessionState;

/// Asks the guard, and whom the guard wants asked. What came of it is noted in `decided`.
pub(super) async fn ask(
    session: &SessionState,
    entry: &RegisteredTool,
    request: &CallRequest<'_>,
    args: &[u8],
    decided: &mut Option<GuardDecision>,
) -> Result<(), ToolError> {
    let mut asking = pin!(decide(session, entry, request, args, decided));
    let tool = entry.contract().name().as_str();
    // A guard that panics has not allowed the call.
    std::future::poll_fn(|poller| {
        let polled = catch_panic(tool, || asking.as_mut().poll(poller));
        polled.unwrap_or_else(|panicked| Poll::Ready(Err(panicked)))
    })
    .await
}

async fn decide(
    session: &SessionState,
    entry: &RegisteredTool,
    request: &CallRequest<'_>,
    args: &[u8],
    decided: &mut Option<GuardDecision>,
) -> Result<(), ToolError> {
    let Some(guard) = session.registry.guard() else {
        return Ok(());
    };
    let args = Value::from_json(args)?;
    let proposal = Proposal {
        tool: entry,
        args: &args,
        call_id: request.id,
        principal: &session.principal,
        session: session.id,
        policies: OnceLock::new(),
    };
    let decision = guard.decide(&proposal).await;
    let verdict = match &decision {
        Decision::Allow => Verdict::Allowed,
        Decision::Deny(_) => Verdict::Denied,
        Decision::Ask(_) | Decision::AskCaller(_) => Verdict::NotApproved,
    };
    let policies = proposal.policies.get().cloned().unwrap_or_default();
    let decided = decided.insert(GuardDecision { verdict, policies });
    match decision {
        Decision::Allow => return Ok(()),
        Decision::Deny(reason) => return Err(ToolError::new(ErrorKind::NotAllowed, reason)),
        Decision::Ask(question) => ask_approver(session, &proposal, &question).await?,
        Decision::AskCaller(question) => ask_caller(session, request, question).await?,
    }
    decided.verdict = Verdict::Approved;
    Ok(())
}

async fn ask_approver(
    session: &SessionState,
    proposal: &Proposal<'_>,
    question: &str,
) -> Result<(), ToolError> {
    let approved = match session.registry.approver() {
        Some(approver) => approver.approve(proposal, question).await,
        None => false,
    };
    approved.then_some(()).ok_or_else(refused)
}

async fn ask_caller(
    session: &SessionState,
    request: &CallRequest<'_>,
    question: String,
) -> Result<(), ToolError> {
    let responders = request.responders(session).into_iter().flatten();
    let mut responders = responders.map(|responder| responder.0);
    let responder = responders.find(|responder| responder.can_ask(Question::User));
    let (responder, form) = (responder.ok_or_else(refused)?, Form::approval(question)?);
    let answer = responder.ask_user(APPROVAL, &form).await?;
    Form::approves(&answer).then_some(()).ok_or_else(refused)
}

fn refused() -> ToolError {
    ToolError::new(
        ErrorKind::NotAllowed,
        "This needs an approval, and it was not given.",
    )
}
