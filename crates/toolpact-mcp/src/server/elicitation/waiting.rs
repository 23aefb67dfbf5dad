//! Questions to a client that has a session, while the tool waits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::{Value as Json, json};
use tokio::sync::oneshot;
use toolpact::ToolError;
use toolpact::core::json::Node;
use toolpact::elicitation::WRONG_ANSWER;

use super::super::Outbox;
use super::{Asked, Client, ClientRequest};
use crate::rpc::{self, Id, Message};

/// The questions that a client has not answered yet.
#[derive(Default)]
pub(crate) struct PendingQuestions(Mutex<Pending>);

#[derive(Default)]
struct Pending {
    questions: HashMap<Id, oneshot::Sender<Answer>>,
    last: u64,
}

/// The result, or the message of an error.
type Answer = Result<Json, String>;

impl PendingQuestions {
    /// Passes an answer on. One to a question that was not asked, or is answered, is dropped.
    pub(crate) fn answer(&self, id: &Id, message: &Message) {
        let Some(question) = self.lock().questions.remove(id) else {
            return;
        };
        let root = message.root();
        let answer = match root.get("result") {
            Some(result) => Ok(serde_json::from_str(result.text()).unwrap_or_default()),
            None => {
                let error = root.get("error").and_then(|error| error.get("message"));
                Err(error
                    .and_then(Node::as_str)
                    .unwrap_or_default()
                    .into_owned())
            }
        };
        // The call may have ended.
        let _ = question.send(answer);
    }

    fn register(&self) -> (Id, oneshot::Receiver<Answer>) {
        let (sender, receiver) = oneshot::channel();
        let mut pending = self.lock();
        pending.last += 1;
        let id = Id::from(pending.last);
        pending.questions.insert(id.clone(), sender);
        (id, receiver)
    }

    fn remove(&self, id: &Id) -> bool {
        self.lock().questions.remove(id).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The questions of one call.
pub(super) struct Waiting {
    client: Weak<Client>,
    outbox: Arc<dyn Outbox>,
    /// Earlier questions and their answers, for a tool that is tried again.
    answered: Mutex<HashMap<String, (ClientRequest, Json)>>,
}

impl Waiting {
    pub(super) fn new(client: Weak<Client>, outbox: Arc<dyn Outbox>) -> Self {
        Self {
            client,
            outbox,
            answered: Mutex::default(),
        }
    }

    /// Who is asked.
    pub(super) fn client(&self) -> usize {
        self.client.as_ptr().addr()
    }

    pub(super) async fn ask<T>(&self, asked: Asked<'_, T>) -> Result<T, ToolError> {
        let Asked {
            name,
            request,
            read,
        } = asked;
        let answer = match self.known(name, &request) {
            Some(answer) => answer,
            None => {
                let answer = self.send(name, &request).await?;
                let mut answered = self.answered();
                answered.insert(name.to_owned(), (request, answer.clone()));
                answer
            }
        };
        read(&answer).map_err(|expected| {
            let message = format!("The client's answer to `{name}` is none: expected {expected}.");
            ToolError::with_code(WRONG_ANSWER, message)
        })
    }

    fn known(&self, name: &str, question: &ClientRequest) -> Option<Json> {
        let answered = self.answered();
        let (asked, answer) = answered.get(name)?;
        (asked == question).then(|| answer.clone())
    }

    fn answered(&self) -> MutexGuard<'_, HashMap<String, (ClientRequest, Json)>> {
        self.answered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send(&self, name: &str, question: &ClientRequest) -> Result<Json, ToolError> {
        let unanswered = || format!("The client did not answer `{name}`.");
        let Some(client) = self.client.upgrade() else {
            return Err(ToolError::unavailable(unanswered()));
        };
        let (id, answer) = client.questions.register();
        drop(client);
        let message = rpc::request(&id, &question.method, question.params.as_ref());
        let _withdraw = Withdraw {
            client: &self.client,
            outbox: &self.outbox,
            id,
        };
        self.outbox.push(message);
        match answer.await {
            Ok(Ok(answer)) => Ok(answer),
            // A client that refuses has its reasons, and is quoted.
            Ok(Err(said)) => Err(ToolError::not_allowed(unanswered()).with_detail("said", said)),
            Err(_) => Err(ToolError::unavailable(unanswered())),
        }
    }
}

/// Tells the client that nobody waits for its answer any more, unless it has answered.
struct Withdraw<'a> {
    client: &'a Weak<Client>,
    outbox: &'a Arc<dyn Outbox>,
    id: Id,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        let client = self.client.upgrade();
        if client.is_some_and(|client| client.questions.remove(&self.id)) {
            let id: Json = serde_json::from_str(self.id.json()).unwrap_or_default();
            let params = json!({"requestId": id, "reason": "The call has ended."});
            self.outbox
                .push(rpc::notification("notifications/cancelled", Some(&params)));
        }
    }
}
