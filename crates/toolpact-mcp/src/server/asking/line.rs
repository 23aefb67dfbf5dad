//! Questions to a client that has a session, while the tool waits.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    ClientResult, ErrorData, GetExtensions as _, InputRequest, RequestId, ServerRequest,
};
use rmcp::service::{
    OriginatingRequestId, Peer, PeerRequestOptions, RequestContext, RequestHandle, ServiceError,
};
use serde_json::Value as Json;
use tokio::runtime::Handle;
use tokio::sync::{Notify, SetOnce};
use toolpact::ToolError;
use toolpact::elicitation::WRONG_ANSWER;

use super::Read;

/// The way to a client, which need not be known before there is a question.
#[derive(Default)]
pub(super) struct Line {
    /// Nothing if the client is gone.
    client: SetOnce<Option<Reached>>,
    wanted: Notify,
    /// What was asked and answered, for a tool that is tried again.
    answered: Mutex<HashMap<String, (InputRequest, Json)>>,
}

/// A client that waits for the answer of a call.
#[derive(Debug)]
struct Reached {
    peer: Peer<RoleServer>,
    call: RequestId,
}

impl Line {
    pub(super) fn reach(&self, context: &RequestContext<RoleServer>) {
        let (peer, call) = (context.peer.clone(), context.id.clone());
        // It stays the same client.
        let _ = self.client.set(Some(Reached { peer, call }));
    }

    /// Nobody will be reached any more who was not.
    pub(super) fn lose(&self) {
        let _ = self.client.set(None);
    }

    pub(super) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    pub(super) async fn put<T>(
        &self,
        name: &str,
        question: InputRequest,
        read: Read<T>,
    ) -> Result<T, ToolError> {
        let answer = match self.known(name, &question) {
            Some(answer) => answer,
            None => {
                let answer = self.ask(name, question.clone()).await?;
                self.keep(name, question, answer.clone());
                answer
            }
        };
        read(&answer).map_err(|expected| {
            let message = format!("The client's answer to `{name}` is none: expected {expected}.");
            ToolError::with_code(WRONG_ANSWER, message)
        })
    }

    fn known(&self, name: &str, question: &InputRequest) -> Option<Json> {
        let answered = self.answered.lock();
        let answered = answered.unwrap_or_else(PoisonError::into_inner);
        let (asked, answer) = answered.get(name)?;
        (asked == question).then(|| answer.clone())
    }

    fn keep(&self, name: &str, question: InputRequest, answer: Json) {
        let answered = self.answered.lock();
        let mut answered = answered.unwrap_or_else(PoisonError::into_inner);
        answered.insert(name.to_owned(), (question, answer));
    }

    async fn ask(&self, name: &str, question: InputRequest) -> Result<Json, ToolError> {
        if self.client.get().is_none() {
            self.wanted.notify_one();
        }
        let Some(Reached { peer, call }) = self.client.wait().await else {
            return Err(unanswered(name, &ServiceError::TransportClosed));
        };
        let mut question = request(question).ok_or_else(|| unsaid(name))?;
        // So it goes the way that the answer of the call will go.
        let origin = OriginatingRequestId(call.clone());
        question.extensions_mut().insert(origin);
        let options = PeerRequestOptions::no_options();
        let sent = peer.send_cancellable_request(question, options).await;
        let sent = Sent(Some(sent.map_err(|error| unanswered(name, &error))?));
        let answer = sent
            .wait()
            .await
            .map_err(|error| unanswered(name, &error))?;
        Ok(serde_json::to_value(answer)?)
    }
}

fn request(question: InputRequest) -> Option<ServerRequest> {
    match question {
        InputRequest::CreateMessage(request) => Some(ServerRequest::CreateMessageRequest(request)),
        InputRequest::Elicitation(request) => Some(ServerRequest::ElicitRequest(request)),
        InputRequest::ListRoots(request) => Some(ServerRequest::ListRootsRequest(request)),
        _ => None,
    }
}

fn unsaid(name: &str) -> ToolError {
    ToolError::internal(format!("the question `{name}` has no form in the protocol"))
}

/// A client that says no has its reasons, and is quoted.
fn unanswered(name: &str, error: &ServiceError) -> ToolError {
    let message = format!("The client did not answer `{name}`.");
    match error {
        ServiceError::McpError(ErrorData { message: said, .. }) => {
            ToolError::not_allowed(message).with_detail("said", &**said)
        }
        error => ToolError::unavailable(message).with_source(error.to_string()),
    }
}

/// A question on its way. The client is told if nobody waits for its answer any more.
struct Sent(Option<RequestHandle<RoleServer>>);

impl Sent {
    async fn wait(mut self) -> Result<ClientResult, ServiceError> {
        let Some(handle) = &mut self.0 else {
            return Err(ServiceError::TransportClosed);
        };
        let answer = (&mut handle.rx).await;
        self.0 = None;
        answer.unwrap_or(Err(ServiceError::TransportClosed))
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        if let (Some(handle), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            let reason = Some("The call has ended.".to_owned());
            runtime.spawn(async move { handle.cancel(reason).await });
        }
    }
}
