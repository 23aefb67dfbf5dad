//! The prompts and resources of other servers, passed through as they are.

mod merged;
mod subscriptions;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value as Json, json};
use tokio::sync::broadcast;

use super::lists::Kind;
use super::{Upstream, UpstreamError};
use crate::rpc::{ErrorCode, RpcError};
use merged::{Merged, Source};
pub(crate) use subscriptions::Subscriptions;

/// How many changes a client may be behind.
const BEHIND: usize = 256;

/// The servers whose prompts and resources a [`Server`](crate::Server) passes through. Cloning is cheap, and
/// clones are the same.
///
/// A prompt has the namespace of its server in front of its name, as tools have; the URI of a resource
/// stays as it is. Where two are the same, the first server wins.
///
/// ```no_run
/// use toolpact::Registry;
/// use toolpact_mcp::{Server, Upstream, Upstreams};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let docs = Upstream::http("https://docs.example.com/mcp").connect().await?;
/// let registry = Registry::new();
/// registry.toolset("docs")?.add_all(docs.definitions())?;
/// let upstreams = Upstreams::default();
/// upstreams.set("docs", Some("docs"), &docs);
/// let server = Server::builder(registry).upstreams(&upstreams).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Upstreams(Arc<Inner>);

struct Inner {
    merged: Mutex<Arc<Merged>>,
    order: Mutex<Vec<Box<str>>>,
    changes: broadcast::Sender<Change>,
    /// How many clients are told updates of a resource.
    subscribed: Mutex<HashMap<String, usize>>,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            merged: Mutex::default(),
            order: Mutex::default(),
            changes: broadcast::Sender::new(BEHIND),
            subscribed: Mutex::default(),
        }
    }
}

/// What clients are told of.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Prompts,
    Resources,
    Updated(Arc<str>),
}

impl Upstreams {
    /// Adds a server, or replaces what was there under this `id`. `namespace` is that of its tools.
    pub fn set(&self, id: &str, namespace: Option<&str>, upstream: &Upstream) {
        let received = &upstream.link.received.0;
        *received
            .updates
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(self.0.changes.clone());
        let source = Source {
            id: id.into(),
            namespace: namespace.map(Into::into),
            upstream: upstream.clone(),
        };
        // Servers are asked again and again, and mostly say the same.
        if self
            .merged()
            .sources
            .iter()
            .any(|before| before.is_same(&source))
        {
            return;
        }
        self.change(
            |sources| match sources.iter_mut().find(|source| *source.id == *id) {
                Some(before) => *before = source,
                None => sources.push(source),
            },
        );
    }

    /// Removes a server.
    pub fn remove(&self, id: &str) {
        self.change(|sources| sources.retain(|source| *source.id != *id));
    }

    /// The order of the servers, also of those to come: of two prompts or resources of one name, the first
    /// is served.
    pub fn sort<'i>(&self, ids: impl IntoIterator<Item = &'i str>) {
        let order = ids.into_iter().map(Box::from).collect();
        *self.0.order.lock().unwrap_or_else(PoisonError::into_inner) = order;
        self.change(|_| {});
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Source>)) {
        let mut merged = self.merged_mut();
        let mut sources = merged.sources.clone();
        change(&mut sources);
        let order = self.0.order.lock().unwrap_or_else(PoisonError::into_inner);
        sources.sort_by_key(|source| order.iter().position(|id| *id == source.id));
        drop(order);
        let before = std::mem::replace(&mut *merged, Arc::new(Merged::new(sources)));
        let is_same = |kind| merged.list(kind).items == before.list(kind).items;
        let same = Kind::FORWARDED.map(is_same);
        let generation = before.generation + u64::from(same.contains(&false));
        if let Some(merged) = Arc::get_mut(&mut merged) {
            merged.generation = generation;
        }
        drop(merged);
        // There may be no client.
        if !same[0] {
            let _ = self.0.changes.send(Change::Prompts);
        }
        if !same[1] || !same[2] {
            let _ = self.0.changes.send(Change::Resources);
        }
    }

    pub(crate) fn changes(&self) -> broadcast::Receiver<Change> {
        self.0.changes.subscribe()
    }

    /// Adds what servers have to the capabilities of ours.
    pub(crate) fn declare(&self, capabilities: &mut Map<String, Json>) {
        let merged = self.merged();
        if merged.has("prompts") {
            capabilities.insert("prompts".into(), json!({"listChanged": true}));
        }
        if merged.has("resources") {
            let mut sources = merged.sources.iter();
            let subscribe = sources
                .any(|source| source.upstream.lists.capabilities["resources"]["subscribe"] == true);
            let resources = json!({"listChanged": true, "subscribe": subscribe});
            capabilities.insert("resources".into(), resources);
        }
        if merged.has("completions") {
            capabilities.insert("completions".into(), json!({}));
        }
    }

    /// A list as clients are shown it, and its generation.
    pub(crate) fn list<T>(
        &self,
        kind: Kind,
        read: impl FnOnce(&[String], u64) -> Result<T, RpcError>,
    ) -> Result<T, RpcError> {
        let merged = self.merged();
        match merged.has(kind.capability()) {
            true => read(&merged.list(kind).items, merged.generation),
            false => Err(RpcError::method_not_found(kind.method())),
        }
    }

    /// Passes a request through to the server that it is for. `None` if no server is for this method.
    pub(crate) fn forward(
        &self,
        method: &str,
        mut params: Json,
    ) -> Option<impl Future<Output = Result<Json, RpcError>> + Send + 'static + use<>> {
        let merged = self.merged();
        let (capability, kind, place) = match method {
            "prompts/get" => ("prompts", Kind::Prompts, "/name"),
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => {
                ("resources", Kind::Resources, "/uri")
            }
            "completion/complete" => match params["ref"]["type"].as_str() {
                Some("ref/resource") => ("completions", Kind::Resources, "/ref/uri"),
                _ => ("completions", Kind::Prompts, "/ref/name"),
            },
            _ => return None,
        };
        merged.has(capability).then_some(())?;
        let method = method.to_owned();
        Some(async move {
            let malformed = || {
                let key = place.trim_start_matches('/').replace('/', ".");
                let expected =
                    format!("expected the `params` of `{method}` to have the text `{key}`");
                RpcError::invalid_params(expected)
            };
            let target = params.pointer_mut(place).ok_or_else(malformed)?;
            let name = target.as_str().ok_or_else(malformed)?.to_owned();
            let unknown = || match kind {
                Kind::Tools | Kind::Prompts => {
                    RpcError::invalid_params(format!("There is no prompt `{name}`."))
                }
                Kind::Resources | Kind::Templates => RpcError {
                    data: Some(json!({"uri": name})),
                    ..RpcError::new(ErrorCode::RESOURCE_NOT_FOUND, "Resource not found")
                },
            };
            let (upstream, there) = merged.route(kind, &name).ok_or_else(unknown)?;
            *target = (*there).into();
            Ok(upstream.request(&method, params).await?)
        })
    }

    fn merged(&self) -> Arc<Merged> {
        Arc::clone(&self.merged_mut())
    }

    fn merged_mut(&self) -> MutexGuard<'_, Arc<Merged>> {
        self.0.merged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn subscribed(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0
            .subscribed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Upstream {
    async fn request(&self, method: &str, params: Json) -> Result<Json, UpstreamError> {
        let uri = params["uri"].as_str().map(str::to_owned);
        let answer = self.link.ask(method, params).await?;
        match (method, uri) {
            ("resources/subscribe", Some(uri)) => self.link.subscription(&uri, true),
            ("resources/unsubscribe", Some(uri)) => self.link.subscription(&uri, false),
            _ => {}
        }
        Ok(answer)
    }
}

impl std::fmt::Debug for Upstreams {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let merged = self.merged();
        let ids = merged.sources.iter().map(|source| &source.id);
        f.debug_list().entries(ids).finish()
    }
}
