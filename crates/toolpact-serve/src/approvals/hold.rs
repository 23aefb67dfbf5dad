//! One call that waits, from its caller's side.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use toolpact::ToolError;
use toolpact::call::{Answer, Approver, CallGuard as _, Decision, Proposal};
use toolpact::core::returns::ErrorKind;

use super::{Approvals, Inner, Outcome};

/// A call that is held for as long as this is there.
pub(super) struct Hold<'a> {
    pub(super) inner: &'a Inner,
    pub(super) place: u64,
    pub(super) until: Option<Instant>,
    pub(super) answer: oneshot::Receiver<Answer>,
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let Some(waiting) = self.inner.table().calls.remove(&self.place) else {
            return;
        };
        let is_over = self.until.is_some_and(|until| until <= Instant::now());
        let outcome = match is_over {
            true => Outcome::Expired,
            false => Outcome::Withdrawn,
        };
        self.inner.counts.count(outcome);
        waiting.call.log(outcome, None, None);
    }
}

impl Approver for Approvals {
    fn approve<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
        question: &'a str,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        // It is held at once, so that its time is over when that of the caller is.
        let hold = self.0.hold(proposal, question);
        Box::pin(async move {
            let mut hold = match hold {
                Ok(hold) => hold,
                Err(answer) => return answer,
            };
            let answer = { &mut hold.answer }.await;
            let answer = answer.unwrap_or_else(|_| Answer::unavailable());
            drop(hold);
            if !answer.is_approved() {
                return answer;
            }
            // Policies may have changed in the meantime, and forbid it now.
            match self.0.guard.decide(proposal).await {
                Decision::Deny(reason) => {
                    Answer::not_now(ToolError::new(ErrorKind::NotAllowed, reason))
                }
                _ => answer,
            }
        })
    }

    fn patience(&self) -> Option<Duration> {
        self.0.config().map(|config| config.timeout())
    }
}
