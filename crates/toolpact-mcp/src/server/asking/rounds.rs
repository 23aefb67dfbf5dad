//! Questions to a client that calls again with the answers.

use std::collections::BTreeMap;
use std::future::{pending, poll_fn};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use rmcp::model::{ErrorData, InputRequest, InputRequests, InputRequiredResult, InputResponses};
use serde_json::Value as Json;
use tokio::sync::Notify;

use super::Seal;
use super::seal::Bound;

/// What a client brings to a call.
pub(crate) struct Round {
    /// The seal of what it was told before, and what it is bound to.
    pub(crate) seal: Sealed,
    /// The answers of the rounds before this one, and of this one.
    pub(crate) answers: InputResponses,
}

/// The seal of a server, and the call that it is for.
pub(crate) struct Sealed {
    pub(crate) seal: Seal,
    pub(crate) call: Bound,
}

impl Sealed {
    /// The round of a client that brings answers, and what it was told when it was asked.
    pub(crate) fn round(
        self,
        answers: Option<InputResponses>,
        state: Option<&str>,
    ) -> Result<Round, ErrorData> {
        let mut all = match state {
            Some(state) => self.seal.open(state, &self.call)?,
            None => BTreeMap::new(),
        };
        all.extend(answers.unwrap_or_default());
        Ok(Round {
            seal: self,
            answers: all,
        })
    }
}

/// The questions of one round.
pub(super) struct Rounds {
    round: Round,
    open: Mutex<Open>,
    stop: Notify,
}

#[derive(Default)]
struct Open {
    questions: InputRequests,
    /// The answers that the tool has asked for.
    used: InputResponses,
    refused: Option<ErrorData>,
}

impl Rounds {
    pub(super) fn new(round: Round) -> Self {
        Self {
            round,
            open: Mutex::default(),
            stop: Notify::new(),
        }
    }

    /// The answer, if the client has brought one. If not, the tool waits until it is dropped.
    pub(super) async fn put<T>(
        &self,
        name: &str,
        question: InputRequest,
        read: fn(&Json) -> Result<T, &'static str>,
    ) -> T {
        let answer = self.round.answers.get(name);
        match answer.map(|answer| (read(answer), answer)) {
            Some((Ok(read), answer)) => {
                let mut open = self.open();
                open.used.insert(name.to_owned(), answer.clone());
                return read;
            }
            Some((Err(expected), _)) => {
                let message = format!("expected `inputResponses.{name}` to be {expected}");
                self.open().refused = Some(ErrorData::invalid_params(message, None));
            }
            None => drop(self.open().questions.insert(name.to_owned(), question)),
        }
        // What the tool asks in the same breath goes out together.
        breathe().await;
        self.stop.notify_one();
        pending().await
    }

    /// Waits until the tool cannot go on, and says what has to be answered.
    pub(super) async fn stopped(&self) -> Result<Box<InputRequiredResult>, ErrorData> {
        self.stop.notified().await;
        let mut open = self.open();
        if let Some(refused) = open.refused.take() {
            return Err(refused);
        }
        let Sealed { seal, call } = &self.round.seal;
        let state = seal.close(&open.used, call)?;
        let questions = std::mem::take(&mut open.questions);
        let names: Vec<&str> = questions.keys().map(String::as_str).collect();
        tracing::debug!(target: "toolpact::mcp", tool = call.tool(), ?names, "a tool asks");
        Ok(Box::new(InputRequiredResult::new(
            Some(questions),
            Some(state),
        )))
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
