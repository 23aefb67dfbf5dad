//! Questions to a client that has a session, while the tool waits.

use rmcp::RoleServer;
use rmcp::model::{ClientResult, GetExtensions as _, InputRequest, RequestId, ServerRequest};
use rmcp::service::{
    OriginatingRequestId, Peer, PeerRequestOptions, RequestContext, RequestHandle, ServiceError,
};
use serde_json::Value as Json;
use tokio::runtime::Handle;
use tokio::sync::{Notify, SetOnce};
use toolpact::ToolError;

/// The way to a client, which need not be known before there is a question.
#[derive(Default)]
pub(super) struct Line {
    client: SetOnce<Reached>,
    wanted: Notify,
}

/// A client that waits for the answer of a call.
struct Reached {
    peer: Peer<RoleServer>,
    call: RequestId,
}

impl Line {
    pub(super) fn reach(&self, context: &RequestContext<RoleServer>) {
        let (peer, call) = (context.peer.clone(), context.id.clone());
        // It stays the same client.
        let _ = self.client.set(Reached { peer, call });
    }

    pub(super) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    pub(super) async fn put<T>(
        &self,
        name: &str,
        question: InputRequest,
        read: fn(&Json) -> Result<T, &'static str>,
    ) -> Result<T, ToolError> {
        if self.client.get().is_none() {
            self.wanted.notify_one();
        }
        let Reached { peer, call } = self.client.wait().await;
        let mut question = request(question).ok_or_else(|| unsaid(name))?;
        // So it goes the way that the answer of the call will go.
        let origin = OriginatingRequestId(call.clone());
        question.extensions_mut().insert(origin);
        let options = PeerRequestOptions::no_options();
        let sent = peer.send_cancellable_request(question, options).await;
        let answer = Sent(Some(sent.map_err(|error| failed(name, &error))?));
        let answer = answer.wait().await.map_err(|error| failed(name, &error))?;
        let answer = serde_json::to_value(answer)?;
        read(&answer).map_err(|expected| {
            let message = format!("The client's answer to `{name}` is none: expected {expected}.");
            ToolError::unavailable(message)
        })
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

/// What the client says of its reasons is for whoever reads the error, and not a part of ours.
fn failed(name: &str, error: &ServiceError) -> ToolError {
    let message = format!("The client did not answer `{name}`.");
    match error {
        ServiceError::McpError(said) => {
            ToolError::unavailable(message).with_detail("said", &*said.message)
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
