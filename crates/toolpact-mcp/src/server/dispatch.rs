//! A message of a client, and who answers it.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use toolpact::core::json::Node;
use toolpact::session::LogLevel;

use super::caller::Caller;
use super::calls::RunningCalls;
use super::client::Client;
use super::list::{self, List};
use super::passthrough::Wanted;
use super::{Outbox, Shared, call, passthrough};
use crate::View;
use crate::rpc::{Id, Message, Method, Response, RpcError};
use crate::version::Version;

/// Where a request comes from, and where messages about it go.
pub(crate) struct Origin {
    /// The client, unless it has no session.
    pub(crate) client: Option<Arc<Client>>,
    /// The view that a header asks for.
    pub(crate) view: Option<Box<str>>,
    pub(crate) outbox: Arc<dyn Outbox>,
    /// Cancelled when nobody waits for the answer any more.
    pub(crate) cancel: CancellationToken,
}

/// The answer to a request.
pub(crate) enum Answer {
    Ready(Response),
    Pending(PendingAnswer),
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
    origin: Origin,
) -> Answer {
    let error_id = id.clone();
    let answered = answer(shared, id, method, message, origin);
    answered.unwrap_or_else(|error| Answer::Ready(Response::error(Some(&error_id), &error)))
}

fn answer(
    shared: &Arc<Shared>,
    id: Id,
    method: &Method,
    message: &Message,
    origin: Origin,
) -> Result<Answer, RpcError> {
    let client = origin.client.clone();
    if *method == Method::Ping && client.as_ref().is_some_and(|c| c.negotiated().is_none()) {
        // The one request that may come before a session is initialized.
        return Ok(Answer::Ready(Response::of(&id, &json!({}))));
    }
    let caller = Caller::of(message, client.as_deref())?;
    let has_sessions = caller.version.has_sessions() && !caller.describes_itself;
    let answer = match method {
        Method::CallTool => return call::start(shared, id, message, &caller, origin),
        Method::ListTools => {
            let view = caller.view(origin.view.as_deref(), shared)?;
            list_tools(shared, &id, message, &caller, client.as_deref(), view)?
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

fn list_tools(
    shared: &Shared,
    id: &Id,
    message: &Message,
    caller: &Caller<'_>,
    client: Option<&Client>,
    view: View,
) -> Result<Response, RpcError> {
    let cursor = list::cursor(message)?;
    let catalog = match client {
        Some(client) => {
            if cursor.is_none() {
                client.refresh();
            }
            client.catalog()
        }
        None => shared
            .catalog()
            .map_err(|_| RpcError::internal("The tools are not available."))?,
    };
    let tools = List {
        key: "tools",
        items: &catalog.listing(caller.version).tools,
        generation: catalog.generation,
        size: shared.page,
    };
    list::page(
        id,
        caller.version,
        cursor.as_deref(),
        &tools,
        |tool| match view {
            // A client that is sent no structure is shown no schema of it.
            View::Text => &tool.json_without_output,
            View::Structure | View::Both => &tool.json,
        },
    )
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

/// The result of `initialize`.
pub(crate) fn initialize(client: &Client, message: &Message) -> Result<Json, RpcError> {
    let version = client.initialize(message)?.version;
    Ok(client.shared.initialized(version))
}

/// The versions that clients may name.
pub(super) fn versions() -> [&'static str; 3] {
    Version::ALL.map(Version::name)
}
