use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Empty, Full};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio_util::sync::CancellationToken;
use tower_service::Service;

use super::{Http, Page, Refusal};
use super::{body, news};
use crate::Server;
use crate::server::message::{self, Said};
use crate::server::{Handler, Sent, Shared};

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
    service: StreamableHttpService<Handler, LocalSessionManager>,
    draining: CancellationToken,
    stop: CancellationToken,
    /// Held while a session begins: those who begin at once are counted one after the other.
    beginning: Arc<Mutex<()>>,
}

/// A request that may be answered.
struct Admitted {
    request: Request<Full<Bytes>>,
    /// Whether the answer is a stream of news.
    news: bool,
    /// The turn of a request that begins a session.
    _turn: Option<OwnedMutexGuard<()>>,
}

impl HttpService {
    pub(crate) fn new(server: &Server, http: Http) -> Self {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(http.idle);
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
        let mut response = match self.admit(Request::from_parts(parts, body)).await {
            Ok(admitted) => {
                let answer = self.0.service.handle(admitted.request).await;
                match admitted.news {
                    true => answer.map(|body| news::until(body, self.0.draining.clone())),
                    false => answer,
                }
            }
            Err(refusal) => refuse(refusal),
        };
        if let Some(page) = page {
            page.may_read(response.headers_mut());
        }
        response
    }

    /// The request with its body read, if that is one that can be looked at.
    async fn admit<B>(&self, request: Request<B>) -> Result<Admitted, Refusal>
    where
        B: http_body::Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let http = &self.0.http;
        if self.0.stop.is_cancelled() {
            let message = "The server has come to its end.";
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        let (mut parts, body) = request.into_parts();
        let mut news = parts.method == Method::GET;
        let mut body = match parts.method {
            Method::POST => body::read(body, http.body_bytes, http.body_time).await?,
            _ => Bytes::new(),
        };
        let mut turn = None;
        if parts.method == Method::POST {
            let (said, message) = message::look(&body).map_err(Refusal::of_message)?;
            news = said == Said::Listen;
            if said == Said::Call {
                body = Sent::aside(&self.0.shared, &message, body, &mut parts);
            }
            if said == Said::Initialize {
                turn = Some(self.begin().await?);
            }
        }
        Ok(Admitted {
            request: Request::from_parts(parts, Full::new(body)),
            news,
            _turn: turn,
        })
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
