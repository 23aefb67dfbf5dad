use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Empty};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use tower_service::Service;

use super::{Http, Page, Refusal};
use crate::Server;
use crate::server::{Clients, Handler, Shared};

/// A client is taken for idle no sooner than it is, and this part of that time later at most.
pub(super) const HEARD: u32 = 4;

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
pub struct HttpService(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) http: Http,
    pub(super) shared: Arc<Shared>,
    pub(super) sessions: Arc<LocalSessionManager>,
    pub(super) clients: Clients,
    pub(super) service: StreamableHttpService<Handler, LocalSessionManager>,
    pub(super) draining: CancellationToken,
    pub(super) stop: CancellationToken,
    /// Held while a session begins: those who begin at once are counted one after the other.
    pub(super) beginning: Arc<Mutex<()>>,
}

impl HttpService {
    pub(crate) fn new(server: &Server, http: Http) -> Self {
        let mut sessions = LocalSessionManager::default();
        // It does not hear of every call.
        sessions.session_config.keep_alive = Some(http.idle.saturating_add(http.idle / HEARD));
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
