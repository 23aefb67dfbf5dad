use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;
use tower_service::Service;

use super::body;
use super::{Http, Refusal};
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
    stop: CancellationToken,
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
            stop,
        }))
    }

    /// Ends all sessions and streams.
    pub fn close(&self) {
        self.0.stop.cancel();
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
        match self.admit(request).await {
            Ok(request) => self.0.service.handle(request).await,
            Err(refusal) => {
                let (status, message) = (refusal.status(), refusal.message());
                tracing::debug!(target: "toolpact::mcp", %status, message, "refused");
                refusal.into_response()
            }
        }
    }

    /// The request with its body read, if it may pass.
    async fn admit<B>(&self, request: Request<B>) -> Result<Request<Full<Bytes>>, Refusal>
    where
        B: http_body::Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let http = &self.0.http;
        let (mut parts, body) = request.into_parts();
        http.guard.check(&parts)?;
        let mut body = match parts.method {
            Method::POST => body::read(body, http.body_bytes, http.body_time).await?,
            _ => Bytes::new(),
        };
        if parts.method == Method::POST {
            let (said, message) = message::look(&body).map_err(Refusal::of_message)?;
            if said == Said::Call {
                body = Sent::aside(&self.0.shared, &message, body, &mut parts);
            }
            if said == Said::Initialize && self.sessions().await >= http.sessions {
                return Err(Refusal::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "There are too many sessions. Close one, or try again later.",
                ));
            }
        }
        Ok(Request::from_parts(parts, Full::new(body)))
    }
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
