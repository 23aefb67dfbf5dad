//! Questions to a client that calls again with the answers.

use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use rmcp::model::{ErrorData, InputRequest, InputRequests, InputRequiredResult, InputResponses};
use serde_json::Value as Json;
use toolpact::ToolError;
use toolpact::elicitation::answer_pending;

use super::seal::{Bound, Known, State, digest};
use super::{Read, Seal};

/// What a client brings to a call.
pub(crate) struct Round {
    seal: Seal,
    call: Bound,
    /// What it was given in the round before, if there was one.
    before: Option<State>,
    /// What it answers in this one.
    answers: InputResponses,
}

impl Round {
    pub(crate) fn new(
        seal: &Seal,
        call: Bound,
        answers: Option<InputResponses>,
        state: Option<&str>,
    ) -> Result<Self, ErrorData> {
        let before = state.map(|state| seal.open(state, &call)).transpose()?;
        Ok(Self {
            seal: seal.clone(),
            call,
            before,
            answers: answers.unwrap_or_default(),
        })
    }

    /// The answer to a question, if it is one to this question: one that reads otherwise by now was not
    /// answered. A client that does not show what it was asked is taken at its word.
    fn answer(&self, name: &str, question: &str) -> Option<&Json> {
        let fresh = self.answers.get(name);
        let Some(before) = &self.before else {
            return fresh;
        };
        let known = before.answered.get(name);
        if let Some(known) = known.filter(|known| known.question == question) {
            return Some(&known.answer);
        }
        let asked = before.asked.get(name).map(String::as_str);
        fresh.filter(|_| asked == Some(question))
    }
}

/// The questions of one round.
pub(super) struct Rounds {
    round: Round,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    questions: InputRequests,
    next: State,
    refused: Option<ErrorData>,
}

impl Rounds {
    pub(super) fn new(round: Round) -> Self {
        let open = Mutex::default();
        Self { round, open }
    }

    /// The answer, if the client has brought one. If not, there will be one later.
    pub(super) async fn put<T>(
        &self,
        name: &str,
        question: InputRequest,
        read: Read<T>,
    ) -> Result<T, ToolError> {
        let digest = digest(&question);
        let answer = self.round.answer(name, &digest);
        match answer.map(|answer| (read(answer), answer.clone())) {
            Some((Ok(read), answer)) => {
                let question = digest;
                let known = Known { question, answer };
                self.open().next.answered.insert(name.to_owned(), known);
                return Ok(read);
            }
            Some((Err(expected), _)) => {
                let message = format!("expected `inputResponses.{name}` to be {expected}");
                self.open().refused = Some(ErrorData::invalid_params(message, None));
            }
            None => {
                let mut open = self.open();
                open.next.answered.remove(name);
                open.next.asked.insert(name.to_owned(), digest);
                open.questions.insert(name.to_owned(), question);
            }
        }
        // What the tool asks in the same breath goes out together.
        breathe().await;
        Err(answer_pending())
    }

    /// What the client has to answer, or did not answer as it should have. Somebody else may have been
    /// asked.
    pub(super) fn asked(&self) -> Option<Result<Box<InputRequiredResult>, ErrorData>> {
        let mut open = self.open();
        if let Some(refused) = open.refused.take() {
            return Some(Err(refused));
        }
        let questions = std::mem::take(&mut open.questions);
        (!questions.is_empty()).then(|| self.questions(questions, &open.next))
    }

    fn questions(
        &self,
        questions: InputRequests,
        next: &State,
    ) -> Result<Box<InputRequiredResult>, ErrorData> {
        let state = self.round.seal.close(next, &self.round.call)?;
        let result = InputRequiredResult::new(Some(questions), Some(state));
        Ok(Box::new(result))
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets everything else that the task waits for be looked at once.
async fn breathe() {
    let mut again = false;
    poll_fn(|context| {
        if std::mem::replace(&mut again, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
