use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Once, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use tokio_util::sync::CancellationToken;
use toolpact::Principal;
use toolpact_http::{BodyLayer, BodyService, GuardFuture, GuardLayer, Owner};
use tower_layer::Layer as _;
use tower_service::Service;

use super::listeners::Listeners;
use super::options::Authorizer;
use super::sessions::Sessions;
use super::ticks::Ticks;
use super::{Http, Refusal, refusal};
use crate::Server;
use crate::passthrough::Change;
use crate::rpc::{self, Id, Message};
use crate::server::dispatch::{self, PendingAnswer};
use crate::server::{Client, Outbox as _, Shared, notification};

/// What is answered.
pub type Body = BoxBody<Bytes, Infallible>;

/// A server as a service of `tower`: Streamable HTTP, with sessions for clients of 2025.
///
/// ```
/// use toolpact::Registry;
/// use toolpact_mcp::{Server, http::{Connections, Http, listen}};
/// use tokio_util::sync::CancellationToken;
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::new(Registry::new())?;
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:7878").await?;
/// let stop = CancellationToken::new();
/// listen(listener, server.http(Http::default()), Connections::default(), stop).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HttpService(Arc<Inner>);

/// What a request is answered by: its guard, its body, and then the messages in it.
pub type HttpFuture<B> = GuardFuture<B, BodyService<Answering, Bytes, Body>, Body>;

struct Inner {
    guard: GuardLayer<Body>,
    body: BodyLayer<Bytes, Body>,
    shared: Arc<Shared>,
    sessions: Sessions,
    listeners: Listeners,
    authorizer: Option<Authorizer>,
    /// Cancelled when streams that never end by themselves have to end.
    draining: CancellationToken,
    /// Cancelled when everything has to end.
    stop: CancellationToken,
    watching: Once,
    ticks: Arc<Ticks>,
}

impl HttpService {
    pub(crate) fn new(server: &Server, http: Http) -> Self {
        let shared = Arc::clone(server.shared());
        let body = BodyLayer::new(http.body, refusal::respond);
        Self(Arc::new(Inner {
            sessions: Sessions::new(http.sessions, http.idle, &shared.streams),
            listeners: Listeners::new(http.listeners, http.listen_time),
            authorizer: http.authorizer,
            guard: GuardLayer::new(http.guard, refusal::respond),
            body: body.within(Arc::clone(&shared.budget)),
            shared,
            draining: CancellationToken::new(),
            stop: CancellationToken::new(),
            watching: Once::new(),
            ticks: Arc::default(),
        }))
    }

    /// Ends the streams that wait for changes, which would go on for ever. Running calls go on.
    pub fn drain(&self) {
        self.0.draining.cancel();
    }

    /// Ends everything: streams, sessions and running calls. Later requests are refused.
    pub fn close(&self) {
        self.drain();
        self.0.stop.cancel();
        self.0.sessions.clear();
    }

    /// How many sessions are open.
    pub fn sessions(&self) -> usize {
        self.0.sessions.len()
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.0.shared
    }

    pub(super) fn session_store(&self) -> &Sessions {
        &self.0.sessions
    }

    pub(super) fn draining(&self) -> CancellationToken {
        self.0.draining.clone()
    }

    pub(super) fn stopping(&self) -> CancellationToken {
        self.0.stop.clone()
    }

    /// Ends after some time.
    pub(super) async fn passed(&self, time: Duration) {
        self.0.ticks.keep_running();
        tokio::time::sleep(time).await;
    }

    /// Why its HTTP request is not enough for a call. A call of a tool that its sender does not see is one of an
    /// unknown tool, and needs nothing.
    pub(super) fn refusal_of_call(
        &self,
        id: &Id,
        method: &rpc::Method,
        message: &Message,
        client: Option<&Client>,
        principal: &Principal,
    ) -> Option<Refusal> {
        let Authorizer(refuse) = self.0.authorizer.as_ref()?;
        (*method == rpc::Method::CallTool).then_some(())?;
        let session = match client {
            Some(client) => client.snapshot(principal).session,
            None => self.0.shared.catalog(principal).ok()?.session.clone(),
        };
        let name = message.text_param("name")?;
        let (name, _) = session.get_named(&name)?;
        let refusal = refuse(name, principal)?;
        Some(Refusal::of_call(id, &refusal))
    }

    /// Opens a session, unless there are too many that are in use.
    pub(super) fn add_session(&self, client: Client, owner: &Owner) -> Result<Box<str>, Refusal> {
        self.0.watching.call_once(|| {
            tokio::spawn(watch(Arc::downgrade(&self.0)));
        });
        let added = self.0.sessions.add(client, owner);
        added.map_err(|full| Refusal::full(full, "sessions"))
    }

    /// The answer to a client that listens, unless there are too many of them.
    pub(super) fn add_listener(
        &self,
        answer: PendingAnswer,
        owner: Owner,
    ) -> Result<PendingAnswer, Refusal> {
        let added = self.0.listeners.add(answer, owner);
        added.map_err(|full| Refusal::full(full, "listeners"))
    }

    /// Answers a request, whatever it is.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body + Send + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let Ok(response) = self.clone().call(request).await;
        response
    }

    /// Answers somebody who may ask.
    async fn answer(&self, request: Request<Bytes>) -> Result<Response<Body>, Refusal> {
        if self.0.stop.is_cancelled() {
            let message = "The server has stopped.";
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        let (parts, body) = request.into_parts();
        match parts.method {
            Method::POST => self.post(parts, &body).await,
            Method::GET => self.get(&parts),
            Method::DELETE => self.delete(&parts),
            _ => Err(Refusal::method_not_allowed("GET, POST, DELETE")),
        }
    }
}

impl<B> Service<Request<B>> for HttpService
where
    B: http_body::Body + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = HttpFuture<B>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.0.body.layer(Answering(self.clone()));
        self.0.guard.layer(service).call(request)
    }
}

/// The service behind the layers.
#[derive(Clone)]
pub struct Answering(HttpService);

impl Service<Request<Bytes>> for Answering {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let service = self.0.clone();
        Box::pin(async move {
            let answered = service.answer(request).await;
            Ok(answered.unwrap_or_else(Refusal::into_response))
        })
    }
}

impl std::fmt::Debug for HttpService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpService")
            .field("guard", &self.0.guard)
            .field("body", &self.0.body)
            .finish_non_exhaustive()
    }
}

/// Ends sessions without activity, and tells the others when the tools change.
async fn watch(service: Weak<Inner>) {
    let Some(every) = service.upgrade().map(|inner| inner.sessions.sweep_every()) else {
        return;
    };
    let Some(mut changes) = service
        .upgrade()
        .map(|inner| inner.shared.registry.changes())
    else {
        return;
    };
    changes.mark_unchanged();
    let Some(mut passed) = service
        .upgrade()
        .map(|inner| inner.shared.passthrough.changes())
    else {
        return;
    };
    loop {
        let (tools, passed) = tokio::select! {
            told = changes.changed() => (told.is_ok(), None),
            change = passed.recv() => (false, change.ok()),
            () = tokio::time::sleep(every) => (false, None),
        };
        let Some(inner) = service.upgrade() else {
            return;
        };
        inner.sessions.sweep();
        if !tools && passed.is_none() {
            continue;
        }
        let sessions = inner.sessions.all();
        if tools && inner.shared.registry.wants_renewal() {
            // To forget many tools takes a while.
            let sessions = sessions.clone();
            let renew = move || sessions.iter().for_each(|session| session.client.renew());
            drop(toolpact::background::spawn(renew));
        }
        for session in sessions.iter().filter(|session| session.is_initialized()) {
            if tools {
                session.general.notify_once(dispatch::list_changed(None));
            }
            let told = |change: &&Change| session.client.subscriptions.wants(change);
            if let Some(change) = passed.as_ref().filter(told) {
                session.general.offer(notification(change, None));
            }
        }
    }
}
