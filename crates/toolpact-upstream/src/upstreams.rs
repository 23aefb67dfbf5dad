//! The prompts and resources of other servers, passed through as they are.

mod merged;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value as Json, json};
use tokio::sync::broadcast;
use toolpact_mcp::passthrough::{Change, Forwarded, ListKind, Listing, Passthrough};
use toolpact_mcp::{ErrorCode, RpcError};

use crate::{Upstream, UpstreamError};
use merged::{Merged, Source};

/// How many changes a client may be behind.
const BEHIND: usize = 256;

/// The servers whose prompts and resources a [`Server`](toolpact_mcp::Server) passes through. Cloning is cheap, and
/// clones are the same.
///
/// A prompt has the namespace of its server in front of its name, as tools have; the URI of a resource
/// stays as it is. Where two are the same, the first server wins.
///
/// ```no_run
/// use toolpact::Registry;
/// use toolpact_mcp::Server;
/// use toolpact_upstream::{Upstream, Upstreams};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let docs = Upstream::http("https://docs.example.com/mcp").connect().await?;
/// let registry = Registry::new();
/// registry.toolset("docs")?.add_all(docs.definitions())?;
/// let upstreams = Upstreams::default();
/// upstreams.set("docs", Some("docs"), &docs);
/// let server = Server::builder(registry).passthrough(upstreams.clone()).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Upstreams(Arc<Inner>);

struct Inner {
    merged: Mutex<Arc<Merged>>,
    /// Held while another is made.
    changing: Mutex<()>,
    order: Mutex<Vec<Box<str>>>,
    changes: broadcast::Sender<Change>,
    /// How many clients are told updates of a resource.
    subscribed: Mutex<HashMap<String, usize>>,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            merged: Mutex::default(),
            changing: Mutex::default(),
            order: Mutex::default(),
            changes: broadcast::Sender::new(BEHIND),
            subscribed: Mutex::default(),
        }
    }
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
        let order: Vec<Box<str>> = ids.into_iter().map(Box::from).collect();
        let mut before = self.0.order.lock().unwrap_or_else(PoisonError::into_inner);
        if *before == order {
            return;
        }
        *before = order;
        drop(before);
        self.change(|_| {});
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Source>)) {
        let changing = &self.0.changing;
        let changing = changing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.merged();
        let mut sources = before.sources.clone();
        change(&mut sources);
        let order = self.0.order.lock().unwrap_or_else(PoisonError::into_inner);
        sources.sort_by_key(|source| order.iter().position(|id| *id == source.id));
        drop(order);
        let mut merged = Merged::new(sources);
        let is_same = |kind| merged.list(kind).items == before.list(kind).items;
        let same = ListKind::FORWARDED.map(is_same);
        merged.generation = before.generation + u64::from(same.contains(&false));
        *self.0.merged.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(merged);
        drop(changing);
        // There may be no client.
        if !same[0] {
            let _ = self.0.changes.send(Change::Prompts);
        }
        if !same[1] || !same[2] {
            let _ = self.0.changes.send(Change::Resources);
        }
    }

    fn merged(&self) -> Arc<Merged> {
        Arc::clone(&self.0.merged.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn subscribed(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0
            .subscribed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Passthrough for Upstreams {
    fn capabilities(&self) -> Map<String, Json> {
        let merged = self.merged();
        let mut capabilities = Map::new();
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
        capabilities
    }

    fn list(&self, kind: ListKind) -> Option<Listing> {
        let merged = self.merged();
        merged.has(kind.capability()).then(|| Listing {
            items: Arc::clone(&merged.list(kind).items),
            generation: merged.generation,
        })
    }

    fn forward(&self, method: &str, params: Json) -> Option<Forwarded> {
        let merged = self.merged();
        let (capability, kind, place) = target(method, &params)?;
        merged.has(capability).then_some(())?;
        let method = method.to_owned();
        Some(Box::pin(forward(merged, method, params, kind, place)))
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.0.changes.subscribe()
    }

    fn retain(&self, uri: &str) {
        *self.subscribed().entry(uri.to_owned()).or_default() += 1;
    }

    fn release(&self, uri: &str) -> bool {
        let mut subscribed = self.subscribed();
        let Some(count) = subscribed.get_mut(uri) else {
            return false;
        };
        *count -= 1;
        let is_last = *count == 0;
        if is_last {
            subscribed.remove(uri);
        }
        is_last
    }
}

/// The capability that a request needs, what it is about, and where in `params` that is named.
fn target(method: &str, params: &Json) -> Option<(&'static str, ListKind, &'static str)> {
    Some(match method {
        "prompts/get" => ("prompts", ListKind::Prompts, "/name"),
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => {
            ("resources", ListKind::Resources, "/uri")
        }
        "completion/complete" => match params["ref"]["type"].as_str() {
            Some("ref/resource") => ("completions", ListKind::Resources, "/ref/uri"),
            _ => ("completions", ListKind::Prompts, "/ref/name"),
        },
        _ => return None,
    })
}

/// Passes a request through to the server that it is for.
async fn forward(
    merged: Arc<Merged>,
    method: String,
    mut params: Json,
    kind: ListKind,
    place: &str,
) -> Result<Json, RpcError> {
    let malformed = || {
        let key = place.trim_start_matches('/').replace('/', ".");
        let expected = format!("expected the `params` of `{method}` to have the text `{key}`");
        RpcError::invalid_params(expected)
    };
    let target = params.pointer_mut(place).ok_or_else(malformed)?;
    let name = target.as_str().ok_or_else(malformed)?.to_owned();
    let unknown = || match kind {
        ListKind::Tools | ListKind::Prompts => {
            RpcError::invalid_params(format!("There is no prompt `{name}`."))
        }
        ListKind::Resources | ListKind::Templates => RpcError {
            data: Some(json!({"uri": name})),
            ..RpcError::new(ErrorCode::RESOURCE_NOT_FOUND, "Resource not found")
        },
    };
    let (upstream, there) = merged.route(kind, &name).ok_or_else(unknown)?;
    *target = (*there).into();
    Ok(upstream.request(&method, params).await?)
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
