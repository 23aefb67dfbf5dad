//! Whether a call may run.

use std::future::Future as _;
use std::pin::pin;
use std::task::Poll;

use toolpact_core::json::Value;
use toolpact_core::returns::ErrorKind;

use super::{CallRequest, Decision, Proposal, catch_panic};
use crate::ToolError;
use crate::elicitation::{APPROVAL, Form, Question};
use crate::registry::RegisteredTool;
use crate::session::SessionState;

/// Asks the guard, and whom the guard wants asked.
pub(super) async fn ask(
    session: &SessionState,
    entry: &RegisteredTool,
    request: &CallRequest<'_>,
    args: &[u8],
) -> Result<(), ToolError> {
    let mut asking = pin!(decide(session, entry, request, args));
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
) -> Result<(), ToolError> {
    let Some(guard) = session.registry.guard() else {
        return Ok(());
    };
    let args = Value::from_json(args)?;
    let proposal = Proposal {
        contract: entry.contract(),
        args: &args,
        call_id: request.id,
    };
    match guard.decide(&proposal).await {
        Decision::Allow => Ok(()),
        Decision::Deny(reason) => Err(ToolError::new(ErrorKind::NotAllowed, reason)),
        Decision::Ask(question) => {
            let approved = match session.registry.approver() {
                Some(approver) => approver.approve(&proposal, &question).await,
                None => false,
            };
            approved.then_some(()).ok_or_else(refused)
        }
        Decision::AskCaller(question) => {
            let responders = request.responders(session).into_iter().flatten();
            let mut responders = responders.map(|responder| responder.0);
            let responder = responders.find(|responder| responder.can_ask(Question::User));
            let (responder, form) = (responder.ok_or_else(refused)?, Form::approval(question)?);
            let answer = responder.ask_user(APPROVAL, &form).await?;
            Form::approves(&answer).then_some(()).ok_or_else(refused)
        }
    }
}

fn refused() -> ToolError {
    ToolError::new(
        ErrorKind::NotAllowed,
        "This needs an approval, and it was not given.",
    )
}
