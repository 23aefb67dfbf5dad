//! Our side of a connection: what we declare, and what the server sends unasked.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleClient;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ClientResult, CustomResult, ElicitationCapability, ErrorCode,
    ErrorData, FormElicitationCapability, Implementation, ProtocolVersion, RootsCapabilities,
    SamplingCapability, ServerNotification, ServerRequest, UrlElicitationCapability,
};
use rmcp::service::{InboundStreamOrigin, NotificationContext, RequestContext, Service};
use serde_json::Value as Json;
use tokio::sync::{broadcast, watch};
use toolpact::elicitation::Question;

use crate::calls::Calls;
use toolpact_mcp::passthrough::Change;

/// Receives the messages of a server, on all its connections.
#[derive(Clone, Default)]
pub(crate) struct Receiver(pub(crate) Arc<Received>);

#[derive(Default)]
pub(crate) struct Received {
    pub(crate) calls: Arc<Calls>,
    /// How often the server has said that a list has changed.
    pub(crate) list_changes: watch::Sender<u64>,
    /// Where it is told that resources were updated.
    pub(crate) updates: Mutex<Option<broadcast::Sender<Change>>>,
}

impl Service<RoleClient> for Receiver {
    async fn handle_request(
        &self,
        request: ServerRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<ClientResult, ErrorData> {
        if matches!(request, ServerRequest::PingRequest(_)) {
            return Ok(ClientResult::empty(()));
        }
        let unwritable =
            |error: serde_json::Error| ErrorData::internal_error(error.to_string(), None);
        let request = serde_json::to_value(&request).map_err(unwritable)?;
        let what = kind_of_question(&request).ok_or_else(|| {
            let method = request["method"].as_str().unwrap_or_default().to_owned();
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)
        })?;
        let stream = match context.extensions.get::<InboundStreamOrigin>() {
            Some(InboundStreamOrigin::OutboundRequest(id)) => Some(id),
            _ => None,
        };
        tokio::select! {
            answer = self.0.calls.ask(stream, what, request) => {
                answer.map(|answer| ClientResult::CustomResult(CustomResult::new(answer)))
            }
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
        }
    }

    async fn handle_notification(
        &self,
        notification: ServerNotification,
        _: NotificationContext<RoleClient>,
    ) -> Result<(), ErrorData> {
        match notification {
            ServerNotification::ProgressNotification(progress) => {
                self.0.calls.progress(progress.params);
            }
            ServerNotification::ToolListChangedNotification(_)
            | ServerNotification::PromptListChangedNotification(_)
            | ServerNotification::ResourceListChangedNotification(_) => {
                self.0.list_changes.send_modify(|times| *times += 1);
            }
            ServerNotification::ResourceUpdatedNotification(resource) => {
                let updates = self.0.updates.lock();
                if let Some(updates) = &*updates.unwrap_or_else(PoisonError::into_inner) {
                    // There may be no client.
                    let _ = updates.send(Change::Updated(resource.params.uri.into()));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Servers hide tools that ask from clients that cannot answer, so we can: whether the client of a call
    /// can, is known when it is asked.
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(
            ElicitationCapability::new()
                .with_form(FormElicitationCapability::new())
                .with_url(UrlElicitationCapability::default()),
        );
        capabilities.sampling = Some(SamplingCapability::default());
        capabilities.roots = Some(RootsCapabilities::default());
        let about = Implementation::new("toolpact", env!("CARGO_PKG_VERSION"));
        let mut config = ClientConfig::new(capabilities, about);
        config.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        config
    }
}

/// What a request of a server asks for.
pub(crate) fn kind_of_question(request: &Json) -> Option<Question> {
    Some(match request["method"].as_str()? {
        "elicitation/create" if request["params"]["mode"] == "url" => Question::Page,
        "elicitation/create" => Question::User,
        "sampling/createMessage" => Question::Model,
        "roots/list" => Question::Roots,
        _ => return None,
    })
}
