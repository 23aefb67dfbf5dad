use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Empty, Full};
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio_util::sync::CancellationToken;
use toolpact::core::json::Value;
use tower_service::Service;

use super::quick::Reader;
use super::{Http, Page, Refusal};
use super::{body, ending};
use crate::Server;
use crate::server::message::{self, Said};
use crate::server::{Clients, Handler, Sent, Shared};

/// A client is taken for idle no sooner than it is, and this part of that time later at most.
const HEARD: u32 = 4;

/// The header that says up to which event a client was told.
const LAST_EVENT: &str = "last-event-id";

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

struct Inner {
    http: Http,
    shared: Arc<Shared>,
    sessions: Arc<LocalSessionManager>,
    clients: Clients,
    service: StreamableHttpService<Handler, LocalSessionManager>,
    draining: CancellationToken,
    stop: CancellationToken,
    /// Held while a session begins: those who begin at once are counted one after the other.
    beginning: Arc<Mutex<()>>,
}

impl HttpService {
    pub(crate) fn new(server: &Server, http: Http) -> Self {
        let mut sessions = LocalSessionManager::default();
        // It does not hear of every call.
        sessions.session_config.keep_alive = Some(http.idle + http.idle / HEARD);
        let sessions = Arc::new(sessions);
        let stop = CancellationToken::new();
        // Hosts, origins and sizes were looked at before the library sees a request.
        let config = StreamableHttpServerConfig::default()
            .with_json_response(true)
            .with_max_request_body_bytes(usize::MAX)
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_cancellation_token(stop.clone());
        let shared = Arc::clone(server.shared());
        let handlers = Arc::clone(&shared);
        let make = move || Handler::new(Arc::clone(&handlers)).map_err(std::io::Error::other);
        Self(Arc::new(Inner {
            service: StreamableHttpService::new(make, Arc::clone(&sessions), config),
            sessions,
            clients: Clients::default(),
            shared,
            http,
            draining: CancellationToken::new(),
            stop,
            beginning: Arc::default(),
        }))
    }

    /// Ends the streams that wait for news, which would go on for ever. Calls that run go on.
    pub fn drain(&self) {
        self.0.draining.cancel();
    }

    /// Ends everything: streams, sessions and the calls that run. What comes then is refused.
    pub async fn close(&self) {
        self.drain();
        self.0.stop.cancel();
        self.0.clients.clear();
        let mut sessions = self.0.sessions.sessions.write().await;
        for (_, session) in sessions.drain() {
            // Fails if it has ended by itself.
            let _ = session.close().await;
        }
    }

    /// How many sessions are open.
    pub async fn sessions(&self) -> usize {
        self.0.sessions.sessions.read().await.len()
    }

    /// Answers a request, whatever it is.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body + Send + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        match self.0.http.guard.preflight(&parts) {
            None => {}
            Some(Ok(answer)) => return answer.map(|()| Empty::new().boxed()),
            Some(Err(refusal)) => return refuse(refusal),
        }
        if let Err(refusal) = self.0.http.guard.check(&parts) {
            return refuse(refusal);
        }
        let page = Page::of(&parts);
        let answered = self.answer(parts, body).await;
        let mut response = answered.unwrap_or_else(refuse);
        if let Some(page) = page {
            page.may_read(response.headers_mut());
        }
        response
    }

    /// Answers somebody who may ask.
    async fn answer<B>(&self, parts: Parts, body: B) -> Result<Response<Body>, Refusal>
    where
        B: http_body::Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        if self.0.stop.is_cancelled() {
            let message = "The server has come to its end.";
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        match parts.method {
            Method::POST => {
                let http = &self.0.http;
                let body = body::read(body, http.body_bytes, http.body_time).await?;
                self.hear(parts, body).await
            }
            Method::GET => Ok(self.tell_more(parts).await),
            Method::DELETE => {
                self.0.clients.remove(session(&parts));
                Ok(self.pass(parts, Bytes::new()).await)
            }
            _ => Ok(self.pass(parts, Bytes::new()).await),
        }
    }

    /// Answers a message.
    async fn hear(&self, mut parts: Parts, body: Bytes) -> Result<Response<Body>, Refusal> {
        let (said, message) = message::look(&body).map_err(Refusal::of_message)?;
        match said {
            Said::Call => return Ok(self.call(&message, parts, body).await),
            Said::Listen => return Ok(self.tell(parts, body).await),
            Said::Initialize => {
                let _turn = self.begin().await?;
                return Ok(self.pass(parts, body).await);
            }
            Said::Initialized => {
                parts.extensions.insert(self.0.clients.clone());
            }
            // The library can cancel only what it has heard of.
            Said::Cancelled => {
                if let Some(known) = self.0.clients.get(session(&parts)) {
                    known.all_heard().await;
                }
            }
            Said::Other => {}
        }
        Ok(self.pass(parts, body).await)
    }

    /// Answers a call, soon or through the library.
    async fn call(&self, message: &Value, mut parts: Parts, body: Bytes) -> Response<Body> {
        let reader = Reader {
            shared: &self.0.shared,
            clients: &self.0.clients,
            heard: self.0.http.idle / HEARD,
        };
        let mut unheard = None;
        if let Some(quick) = reader.read(message.root(), &parts.headers) {
            match quick.make(&self.0.stop).await {
                Ok(response) => return response,
                Err(late) => {
                    parts.extensions.insert(late.begun);
                    unheard = late.unheard;
                }
            }
        }
        let time = self.stream_time(&parts);
        let body = Sent::aside(&self.0.shared, message, body, &mut parts);
        let response = self.pass(parts, body).await;
        drop(unheard);
        match time.filter(|_| is_stream(&response)) {
            Some(time) => response.map(|body| ending::until(body, tokio::time::sleep(time))),
            None => response,
        }
    }

    /// How long the client stays before it is sent away to come back.
    fn stream_time(&self, parts: &Parts) -> Option<Duration> {
        let time = self.0.http.stream_time?;
        let client = self.0.clients.get(session(parts))?.client()?;
        let comes_back = client.agreed()?.version == ProtocolVersion::V_2025_11_25;
        comes_back.then_some(time)
    }

    /// Answers with news, or with the rest of an answer to a client that has come back for it.
    async fn tell_more(&self, parts: Parts) -> Response<Body> {
        let place = parts.headers.get(LAST_EVENT).cloned();
        let place = place.as_ref().and_then(|place| place.to_str().ok());
        let time = self.stream_time(&parts);
        let answer = self.tell(parts, Bytes::new()).await;
        match (place, time.filter(|_| is_stream(&answer))) {
            (Some(place), Some(time)) => {
                let end = tokio::time::sleep(time);
                answer.map(|body| ending::until_from(place, body, end))
            }
            _ => answer,
        }
    }

    /// Answers with a stream of news.
    async fn tell(&self, parts: Parts, body: Bytes) -> Response<Body> {
        let answer = self.pass(parts, body).await;
        let end = self.0.draining.clone().cancelled_owned();
        answer.map(|body| ending::until(body, end))
    }

    /// Lets the library answer.
    async fn pass(&self, parts: Parts, body: Bytes) -> Response<Body> {
        let request = Request::from_parts(parts, Full::new(body));
        self.0.service.handle(request).await
    }

    /// Waits for the turn to begin a session, if there is room for one more.
    async fn begin(&self) -> Result<OwnedMutexGuard<()>, Refusal> {
        let turn = Arc::clone(&self.0.beginning).lock_owned().await;
        match self.sessions().await < self.0.http.sessions {
            true => Ok(turn),
            false => Err(Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "There are too many sessions. Close one, or try again later.",
            )),
        }
    }
}

/// The session of a request.
fn session(parts: &Parts) -> &str {
    let session = parts.headers.get(Clients::HEADER);
    session
        .and_then(|session| session.to_str().ok())
        .unwrap_or_default()
}

fn is_stream(response: &Response<Body>) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

fn refuse(refusal: Refusal) -> Response<Body> {
    let (status, message) = (refusal.status(), refusal.message());
    tracing::debug!(target: "toolpact::mcp", %status, message, "refused");
    refusal.into_response()
}

impl<B> Service<Request<B>> for HttpService
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.handle(request).await) })
    }
}

impl std::fmt::Debug for HttpService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpService")
            .field("http", &self.0.http)
            .finish_non_exhaustive()
    }
}
