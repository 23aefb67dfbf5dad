//! Prompts, resources and completions, which are those of other servers.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use tokio::sync::broadcast::error::RecvError;
use toolpact::core::json::{Kind as JsonKind, Node};

use super::caller::Caller;
use super::calls::{RunningCall, RunningCalls};
use super::dispatch::{Answer, Origin};
use super::list::{self, List};
use super::subscriptions::Subscriptions;
use super::{Outbox, Shared};
use crate::passthrough::{Change, ListKind};
use crate::rpc::{self, ErrorCode, Id, Message, Response, RpcError};
use crate::version::Version;

/// What an answer of 2026-07-28 says besides its content: how long it is valid.
const CACHE: [(&str, &str); 2] = [("ttlMs", "0"), ("cacheScope", "\"private\"")];

/// Answers a request if it is for other servers.
pub(super) fn answer(
    shared: &Arc<Shared>,
    id: &Id,
    method: &str,
    message: &Message,
    caller: &Caller<'_>,
    origin: &Origin,
) -> Option<Result<Answer, RpcError>> {
    if let Some(kind) = ListKind::FORWARDED
        .into_iter()
        .find(|kind| kind.method() == method)
    {
        let page = page(shared, id, kind, message, caller.version);
        return Some(page.map(|page| Answer::Ready(page.within(&shared.streams, id))));
    }
    let is_subscription = matches!(method, "resources/subscribe" | "resources/unsubscribe");
    // Without a session, `subscriptions/listen` says what a client wants to be told of.
    let has_session = caller.version.has_sessions() && origin.client.is_some();
    if is_subscription && !has_session {
        return None;
    }
    let params = params(message);
    let uri = params["uri"].as_str().unwrap_or_default().to_owned();
    let forwarded = shared.passthrough.forward(method, params)?;
    let client = origin.client.clone();
    if let ("resources/unsubscribe", Some(client)) = (method, &client)
        && !client.subscriptions.remove(&uri)
    {
        // Others are still told of it.
        return Some(Ok(Answer::Ready(Response::of(id, &json!({})))));
    }
    let running = client.as_ref();
    let running = running.map(|client| RunningCalls::begin(client, id, &origin.cancel));
    let (id, method, version) = (id.clone(), method.to_owned(), caller.version);
    let (cancel, memory) = (origin.cancel.clone(), Arc::clone(&shared.streams));
    Some(Ok(Answer::pending(async move {
        let answer = cancel.run_until_cancelled(forwarded).await?;
        if running.as_ref().is_some_and(RunningCall::is_cancelled) {
            return None;
        }
        let answer = answer.and_then(|answer| match (&*method, &client) {
            ("resources/subscribe", Some(client)) => {
                client.subscriptions.add(&uri).map(|()| answer)
            }
            _ => Ok(answer),
        });
        Some(match answer {
            Ok(answer) => {
                let answer = Response::of(&id, &in_version(answer, &method, version));
                answer.within(&memory, &id)
            }
            Err(error) => Response::error(Some(&id), &error_in_version(error, version)),
        })
    })))
}

fn page(
    shared: &Shared,
    id: &Id,
    kind: ListKind,
    message: &Message,
    version: Version,
) -> Result<Response, RpcError> {
    let cursor = list::cursor(message)?;
    let listing = shared.passthrough.list(kind);
    let listing = listing.ok_or_else(|| RpcError::method_not_found(kind.method()))?;
    let list = List {
        key: kind.key(),
        items: &listing.items,
        generation: listing.generation,
        size: shared.page,
    };
    list::page(id, version, cursor.as_deref(), &list, |item| item)
}

/// The parameters for another server, without what is said about our client.
fn params(message: &Message) -> Json {
    let members = message.params().into_iter().flat_map(Node::members);
    let members = members.filter(|(key, _)| key != "_meta");
    let read = |node: Node<'_>| serde_json::from_str::<Json>(node.text()).unwrap_or_default();
    members
        .map(|(key, node)| (key.into_owned(), read(node)))
        .collect()
}

/// An answer of a server that may speak another version.
fn in_version(mut answer: Json, method: &str, version: Version) -> Json {
    let Some(answer_map) = answer.as_object_mut() else {
        return answer;
    };
    if version.has_sessions() {
        answer_map.remove("resultType");
        for (key, _) in CACHE {
            answer_map.remove(key);
        }
        return answer;
    }
    answer_map.entry("resultType").or_insert("complete".into());
    if method == "resources/read" {
        for (key, value) in CACHE {
            let value = || serde_json::from_str(value).unwrap_or_default();
            answer_map.entry(key).or_insert_with(value);
        }
    }
    answer
}

/// Since 2026-07-28, a resource that is not there is a wrong parameter.
fn error_in_version(mut error: RpcError, version: Version) -> RpcError {
    if error.code == ErrorCode::RESOURCE_NOT_FOUND && !version.has_sessions() {
        error.code = ErrorCode::INVALID_PARAMS;
    }
    error
}

/// What a client is told of a change.
pub(crate) fn notification(change: &Change, meta: Option<&Json>) -> Vec<u8> {
    let (method, uri) = match change {
        Change::Prompts => ("notifications/prompts/list_changed", None),
        Change::Resources => ("notifications/resources/list_changed", None),
        Change::Updated(uri) => ("notifications/resources/updated", Some(uri)),
    };
    let mut params = Map::new();
    params.extend(uri.map(|uri| ("uri".to_owned(), (**uri).into())));
    params.extend(meta.map(|meta| ("_meta".to_owned(), meta.clone())));
    rpc::notification(method, (!params.is_empty()).then_some(&params))
}

/// What a client without a session wants to be told of.
pub(super) struct Wanted {
    shared: Arc<Shared>,
    prompts: bool,
    resources: bool,
    uris: Vec<String>,
}

impl Wanted {
    /// Adds to what is `accepted` what servers can tell.
    pub(super) fn read(
        shared: &Arc<Shared>,
        wanted: Node<'_>,
        accepted: &mut Map<String, Json>,
    ) -> Self {
        let declared = shared.passthrough.capabilities();
        let mut accept = |key: &str, capability: &str| {
            let is_wanted = wanted.get(key).and_then(Node::as_bool) == Some(true);
            let is_accepted = is_wanted && declared.contains_key(capability);
            if is_accepted {
                accepted.insert(key.to_owned(), true.into());
            }
            is_accepted
        };
        let prompts = accept("promptsListChanged", "prompts");
        let resources = accept("resourcesListChanged", "resources");
        let uris = wanted.get("resourceSubscriptions");
        let uris = uris
            .filter(|uris| uris.kind() == JsonKind::Array && declared.contains_key("resources"));
        let uris = uris.into_iter().flat_map(Node::items);
        let uris: Vec<String> = uris
            .filter_map(|uri| Some(uri.as_str()?.into_owned()))
            .collect();
        if !uris.is_empty() {
            accepted.insert("resourceSubscriptions".to_owned(), json!(uris));
        }
        Self {
            shared: Arc::clone(shared),
            prompts,
            resources,
            uris,
        }
    }

    /// Tells the client, for ever.
    pub(super) async fn notify(&self, outbox: &dyn Outbox, meta: &Json) {
        let passthrough = &self.shared.passthrough;
        let mut changes = passthrough.changes();
        let subscriptions = Subscriptions::new(passthrough);
        for uri in &self.uris {
            let Some(forwarded) = passthrough.forward("resources/subscribe", json!({"uri": uri}))
            else {
                continue;
            };
            let added = forwarded.await.and_then(|_| subscriptions.add(uri));
            if let Err(error) = added {
                let error = error.message;
                tracing::warn!(target: "toolpact::mcp", error, uri, "updates are not told");
            }
        }
        loop {
            let is_wanted = |change: &Change| match change {
                Change::Prompts => self.prompts,
                Change::Resources => self.resources,
                Change::Updated(_) => subscriptions.wants(change),
            };
            match changes.recv().await {
                Ok(change) if is_wanted(&change) => outbox.push(notification(&change, Some(meta))),
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}
