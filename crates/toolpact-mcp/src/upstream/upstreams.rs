//! The prompts and resources of other servers, passed through as they are.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value as Json, json};
use tokio::sync::broadcast;

use super::lists::Kind;
use super::{Upstream, UpstreamError};
use crate::rpc::{ErrorCode, RpcError};

/// How many changes a client may be behind.
const BEHIND: usize = 256;

/// Most resources that one client is told updates of.
const SUBSCRIPTIONS: usize = 1000;

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

#[derive(Clone)]
struct Source {
    id: Box<str>,
    namespace: Option<Box<str>>,
    upstream: Upstream,
}

impl Source {
    fn is_same(&self, other: &Self) -> bool {
        let (own, others) = (&self.upstream, &other.upstream);
        let is_known = self.id == other.id && self.namespace == other.namespace;
        is_known && Arc::ptr_eq(&own.link, &others.link) && own.lists == others.lists
    }
}

/// What all servers have, and which of them has it.
#[derive(Default)]
struct Merged {
    generation: u64,
    sources: Vec<Source>,
    lists: [List; Kind::FORWARDED.len()],
}

#[derive(Default)]
struct List {
    /// As clients are shown them.
    items: Vec<String>,
    /// The source and the name there.
    routes: HashMap<Box<str>, (usize, Box<str>)>,
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

impl Merged {
    fn new(sources: Vec<Source>) -> Self {
        let lists = Kind::FORWARDED.map(|kind| {
            let mut list = List::default();
            for (place, source) in sources.iter().enumerate() {
                for item in source.upstream.lists.items(kind) {
                    list.add(kind, item, place, source);
                }
            }
            list
        });
        Self {
            generation: 0,
            sources,
            lists,
        }
    }

    fn list(&self, kind: Kind) -> &List {
        let place = Kind::FORWARDED.iter().position(|passed| *passed == kind);
        &self.lists[place.unwrap_or_default()]
    }

    /// Whether a server declares this capability.
    fn has(&self, capability: &str) -> bool {
        let mut sources = self.sources.iter();
        sources.any(|source| source.upstream.lists.capabilities.get(capability).is_some())
    }

    /// The server that has this, and its name there. A resource that is not listed may be made of a template,
    /// or be behind a link in a result: then it is of the first server whose URIs begin in the same way.
    fn route(&self, kind: Kind, name: &str) -> Option<(&Upstream, Box<str>)> {
        let listed = self.list(kind).routes.get(name);
        if kind == Kind::Prompts {
            let (source, there) = listed?;
            return Some((&self.sources[*source].upstream, there.clone()));
        }
        let templates = &self.list(Kind::Templates).routes;
        let matching = || {
            let matching = templates
                .iter()
                .filter(|(template, _)| matches(template, name));
            matching.map(|(_, (source, _))| *source).min()
        };
        let scheme = |uri: &str| uri.split_once(':').map(|(scheme, _)| scheme.to_owned());
        let similar = || {
            let routes = self.list(kind).routes.iter().chain(templates);
            let similar = routes.filter(|(uri, _)| scheme(uri) == scheme(name));
            similar.map(|(_, (source, _))| *source).min()
        };
        let listed = listed.or_else(|| templates.get(name));
        let source = listed.map(|(source, _)| *source);
        let source = source.or_else(matching).or_else(similar)?;
        Some((&self.sources[source].upstream, name.into()))
    }
}

impl List {
    fn add(&mut self, kind: Kind, item: &Json, place: usize, source: &Source) {
        let Some(there) = item[kind.name()].as_str() else {
            return;
        };
        let mut item = item.clone();
        let name: Box<str> = match (&source.namespace, kind) {
            (Some(namespace), Kind::Prompts) => format!("{namespace}__{there}").into(),
            _ => there.into(),
        };
        item[kind.name()] = (*name).into();
        if self.routes.contains_key(&name) {
            let list = kind.key();
            tracing::warn!(target: "toolpact::mcp", list, %name, source = %source.id, "another source has this name, and is served");
            return;
        }
        self.items.push(item.to_string());
        self.routes.insert(name, (place, there.into()));
    }
}

/// Whether a URI can be made of a template: its fixed parts are there, in this order.
fn matches(template: &str, uri: &str) -> bool {
    let mut parts = template.split('{');
    let Some(mut rest) = uri.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut fixed = parts
        .map(|part| part.split_once('}').map_or("", |(_, fixed)| fixed))
        .peekable();
    while let Some(part) = fixed.next() {
        let found = match fixed.peek() {
            None => return rest.ends_with(part),
            Some(_) => rest.find(part),
        };
        match found {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

/// The resources that one client is told updates of, for as long as this is held.
pub(crate) struct Subscriptions {
    upstreams: Upstreams,
    uris: Mutex<BTreeSet<String>>,
}

impl Subscriptions {
    pub(crate) fn new(upstreams: &Upstreams) -> Self {
        Self {
            upstreams: upstreams.clone(),
            uris: Mutex::default(),
        }
    }

    pub(crate) fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Prompts | Change::Resources => true,
            Change::Updated(uri) => self.uris().contains(&**uri),
        }
    }

    /// Counts a resource that the server tells updates of.
    pub(crate) fn add(&self, uri: &str) -> Result<(), RpcError> {
        let mut uris = self.uris();
        if uris.len() >= SUBSCRIPTIONS {
            let text = format!("expected at most {SUBSCRIPTIONS} subscriptions; end some");
            return Err(RpcError::new(ErrorCode::OVERLOADED, text));
        }
        if uris.insert(uri.to_owned()) {
            *self
                .upstreams
                .subscribed()
                .entry(uri.to_owned())
                .or_default() += 1;
        }
        Ok(())
    }

    /// Whether nobody else is told of this resource.
    pub(crate) fn remove(&self, uri: &str) -> bool {
        self.uris().remove(uri) && self.upstreams.release(uri)
    }

    fn uris(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.uris.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Upstreams {
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

impl Drop for Subscriptions {
    fn drop(&mut self) {
        let uris = std::mem::take(&mut *self.uris());
        let last = uris.into_iter().filter(|uri| self.upstreams.release(uri));
        let ends = last.filter_map(|uri| {
            self.upstreams
                .forward("resources/unsubscribe", json!({"uri": uri}))
        });
        let ends: Vec<_> = ends.collect();
        if let (false, Ok(runtime)) = (ends.is_empty(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(futures_util::future::join_all(ends));
        }
    }
}

impl std::fmt::Debug for Upstreams {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let merged = self.merged();
        let ids = merged.sources.iter().map(|source| &source.id);
        f.debug_list().entries(ids).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn templates_match_what_is_made_of_them() {
        for (template, uri, expected) in [
            ("demo://text/{id}", "demo://text/1", true),
            ("demo://text/{id}", "demo://blob/1", false),
            ("demo://{kind}/{id}/x", "demo://text/1/x", true),
            ("demo://{kind}/{id}/x", "demo://text/1", false),
            ("demo://fixed", "demo://fixed", true),
            ("demo://fixed", "demo://fixed/1", false),
            ("a{b", "ac", true),
        ] {
            assert_eq!(matches(template, uri), expected, "{template} {uri}");
        }
    }
}
