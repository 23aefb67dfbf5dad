//! A message of a client, and who answers it.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use toolpact::Principal;
use toolpact::core::json::Node;
use toolpact::session::LogLevel;
use tracing::Span;

use super::caller::{Caller, Described};
use super::calls::RunningCalls;
use super::client::Client;
use super::passthrough::Wanted;
use super::{Outbox, Shared, Transport, call, list_tools, passthrough, trace};
use crate::rpc::{Id, Message, Method, Response, RpcError};
use crate::version::Version;

/// Where a request comes from, and where messages about it go.
pub(crate) struct Origin {
    /// The client, unless it has no session.
    pub(crate) client: Option<Arc<Client>>,
    /// Who sent this request.
    pub(crate) principal: Principal,
    /// The view that a header asks for.
    pub(crate) view: Option<Box<str>>,
    pub(crate) outbox: Arc<dyn Outbox>,
    pub(crate) transport: Transport,
    /// Cancelled when nobody waits for the answer any more.
    pub(crate) cancel: CancellationToken,
    /// Why a call is denied whatever its guard says.
    pub(crate) refused: Option<Box<str>>,
}

/// The answer to a request.
pub(crate) enum Answer {
    Ready(Response),
    Pending(PendingAnswer),
    /// Written when it is asked for: nothing runs meanwhile, and it is not asked for before there is room.
    Page(PendingAnswer),
    /// Goes on until the client cancels it or is gone.
    Subscription(PendingAnswer),
}

/// `None` if the client has cancelled the request, and expects no answer.
pub(crate) type PendingAnswer = Pin<Box<dyn Future<Output = Option<Response>> + Send>>;

impl Answer {
    pub(super) fn pending(answer: impl Future<Output = Option<Response>> + Send + 'static) -> Self {
        Self::Pending(Box::pin(answer))
    }
}

/// Answers a request. `initialize` is the business of the transport, which knows what a session is.
pub(crate) fn request(
    shared: &Arc<Shared>,
    id: Id,
    method: &Method,
    message: &Message,
    described: &Described<'_>,
    mut origin: Origin,
) -> Answer {
    let transport = std::mem::take(&mut origin.transport);
    let incoming = trace::begin(&id, method, described, transport);
    let error_id = id.clone();
    let answered = answer(
        shared,
        id,
        method,
        message,
        described,
        origin,
        incoming.span(),
    );
    let refused = |error| Answer::Ready(Response::error(Some(&error_id), &error));
    trace::around(incoming, answered.unwrap_or_else(refused))
}

fn answer(
    shared: &Arc<Shared>,
    id: Id,
    method: &Method,
    message: &Message,
    described: &Described<'_>,
    origin: Origin,
    span: &Span,
) -> Result<Answer, RpcError> {
    let client = origin.client.clone();
    if *method == Method::Ping && client.as_ref().is_some_and(|c| c.negotiated().is_none()) {
        // The one request that may come before a session is initialized.
        return Ok(Answer::Ready(Response::of(&id, &json!({}))));
    }
    let caller = Caller::of(described, client.as_deref())?;
    trace::speaks(span, caller.version);
    let has_sessions = caller.version.has_sessions() && !caller.describes_itself;
    let answer = match method {
        Method::CallTool => return call::start(shared, id, message, &caller, origin, span),
        Method::ListTools => {
            let view = caller.view(origin.view.as_deref(), shared)?;
            return list_tools::answer(shared, id, message, &caller, &origin, view);
        }
        Method::Ping if has_sessions => Response::of(&id, &json!({})),
        Method::SetLevel if has_sessions => {
            let level = message.text_param("level");
            let level = level.and_then(|level| LogLevel::from_name(&level));
            let level = level.ok_or_else(unknown_level)?;
            if let Some(client) = &client {
                client.set_level(level);
            }
            Response::of(&id, &json!({}))
        }
        Method::Discover if caller.describes_itself => Response::of(&id, &shared.discovery()),
        Method::Listen if !has_sessions => {
            return listen(shared, &id, message, origin);
        }
        method => {
            let passed = passthrough::answer(shared, &id, method.name(), message, &caller, &origin);
            return passed.unwrap_or_else(|| Err(RpcError::method_not_found(method.name())));
        }
    };
    Ok(Answer::Ready(answer))
}

fn unknown_level() -> RpcError {
    RpcError::invalid_params(
        "expected the `params` of `logging/setLevel` to be an object whose `level` is `debug`, `info`, \
         `notice`, `warning`, `error`, `critical`, `alert` or `emergency`",
    )
}

/// Tells a client that has no session of changes, until it cancels the request or hangs up.
fn listen(
    shared: &Arc<Shared>,
    id: &Id,
    message: &Message,
    origin: Origin,
) -> Result<Answer, RpcError> {
    let Some(wanted) = message.param("notifications") else {
        return Err(RpcError::invalid_params(
            "expected the `params` of `subscriptions/listen` to be an object with the object \
             `notifications`",
        ));
    };
    let is_wanted = |key| wanted.get(key).and_then(Node::as_bool) == Some(true);
    let tools = is_wanted("toolsListChanged");
    let mut accepted = serde_json::Map::new();
    if tools {
        accepted.insert("toolsListChanged".to_owned(), true.into());
    }
    let passed = Wanted::read(shared, wanted, &mut accepted);
    let subscription: Json = serde_json::from_str(id.json()).unwrap_or_default();
    let meta = json!({"io.modelcontextprotocol/subscriptionId": subscription});
    let acknowledged = json!({"notifications": accepted, "_meta": meta});
    let (
        shared,
        Origin {
            client,
            outbox,
            cancel,
            ..
        },
    ) = (Arc::clone(shared), origin);
    outbox.push(crate::rpc::notification(
        "notifications/subscriptions/acknowledged",
        Some(&acknowledged),
    ));
    let running = client.map(|client| RunningCalls::begin(&client, id, &cancel));
    let mut changes = shared.registry.changes();
    changes.mark_unchanged();
    Ok(Answer::Subscription(Box::pin(async move {
        let _running = running;
        let telling = async {
            while tools && changes.changed().await.is_ok() {
                let params = json!({"_meta": meta});
                outbox.push(list_changed(Some(&params)));
            }
            std::future::pending::<()>().await;
        };
        let telling = async { tokio::join!(telling, passed.notify(&*outbox, &meta)) };
        cancel.run_until_cancelled(telling).await;
        None
    })))
}

/// That the tools have changed.
pub(crate) fn list_changed(params: Option<&Json>) -> Vec<u8> {
    crate::rpc::notification("notifications/tools/list_changed", params)
}

/// Takes note of a notification.
pub(crate) fn notification(client: &Client, method: &Method, message: &Message) {
    if *method != Method::Cancelled {
        return;
    }
    if let Some(id) = message.param("requestId").and_then(Id::read) {
        client.calls.cancel(&id);
    }
}

/// The answer to `initialize`.
pub(crate) fn initialize(
    client: &Client,
    id: &Id,
    message: &Message,
    transport: Transport,
) -> Response {
    let incoming = trace::begin(id, &Method::Initialize, &Described::of(message), transport);
    let response = match client.initialize(message) {
        Ok(negotiated) => Response::of(id, &client.shared.initialized(negotiated.version)),
        Err(error) => Response::error(Some(id), &error),
    };
    trace::end(incoming.span(), &response);
    response
}

/// The versions that clients may name.
pub(super) fn versions() -> [&'static str; 3] {
    Version::ALL.map(Version::name)
}
