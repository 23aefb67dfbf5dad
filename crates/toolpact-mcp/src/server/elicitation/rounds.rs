//! Questions to a client that calls again with the answers.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use serde::Serialize;
use serde_json::{Map, Value as Json};
use toolpact::ToolError;
use toolpact::elicitation::answer_pending;

use super::seal::{Bound, Known, State, digest};
use super::{Asked, ClientRequest, Seal};
use crate::rpc::RpcError;

/// What a client brings to a call.
pub(crate) struct Round {
    seal: Seal,
    call: Bound,
    /// What it was given in the round before, if there was one.
    before: Option<State>,
    /// What it answers in this one.
    answers: Map<String, Json>,
}

impl Round {
    pub(crate) fn new(
        seal: &Seal,
        call: Bound,
        answers: Map<String, Json>,
        state: Option<&str>,
    ) -> Result<Self, RpcError> {
        let before = state.map(|state| seal.open(state, &call)).transpose()?;
        Ok(Self {
            seal: seal.clone(),
            call,
            before,
            answers,
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

/// The result of a call whose tool has questions.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InputRequired {
    result_type: &'static str,
    input_requests: BTreeMap<String, ClientRequest>,
    request_state: String,
}

/// The questions of one round.
pub(super) struct Rounds {
    round: Round,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    questions: BTreeMap<String, ClientRequest>,
    next: State,
    refused: Option<RpcError>,
}

impl Rounds {
    pub(super) fn new(round: Round) -> Self {
        let open = Mutex::default();
        Self { round, open }
    }

    /// The answer, if the client has brought one. If not, there will be one later.
    pub(super) async fn ask<T>(&self, asked: Asked<'_, T>) -> Result<T, ToolError> {
        let name = asked.name;
        let digest = digest(&asked.request);
        let answer = self.round.answer(name, &digest);
        match answer.map(|answer| ((asked.read)(answer), answer.clone())) {
            Some((Ok(read), answer)) => {
                let question = digest;
                let known = Known { question, answer };
                self.open().next.answered.insert(name.to_owned(), known);
                return Ok(read);
            }
            Some((Err(expected), _)) => {
                let message = format!("expected `inputResponses.{name}` to be {expected}");
                self.open().refused = Some(RpcError::invalid_params(message));
            }
            None => {
                let mut open = self.open();
                open.next.answered.remove(name);
                open.next.asked.insert(name.to_owned(), digest);
                open.questions.insert(name.to_owned(), asked.request);
            }
        }
        // What the tool asks in the same breath goes out together.
        breathe().await;
        Err(answer_pending())
    }

    /// Whether the client brings an answer to something that it was asked under this name.
    pub(super) fn has_brought(&self, name: &str) -> bool {
        let before = self.round.before.as_ref();
        before.is_some_and(|before| before.asked.contains_key(name))
            && self.round.answers.contains_key(name)
    }

    /// What the client has to answer, or did not answer as it should have. Somebody else may have been
    /// asked.
    pub(super) fn asked(&self) -> Option<Result<InputRequired, RpcError>> {
        let mut open = self.open();
        if let Some(refused) = open.refused.take() {
            return Some(Err(refused));
        }
        let input_requests = std::mem::take(&mut open.questions);
        if input_requests.is_empty() {
            return None;
        }
        let state = self.round.seal.close(&open.next, &self.round.call);
        Some(state.map(|request_state| InputRequired {
            result_type: "input_required",
            input_requests,
            request_state,
        }))
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
