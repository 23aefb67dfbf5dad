//! Connections of an HTTP server, so that none of them can block others.

use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_service::Service;

use crate::Tls;
use crate::head_timer::HeadTimer;
use crate::peer::{Peer, Room};
use crate::places::Places;
use crate::tracked::Tracked;
use crate::turn_away::TurnAway;
use crate::write_timeout::WriteTimeout;

/// Most bytes that are kept of what a connection sends or is sent, and so of the head of a request.
const BUFFER: usize = 64 << 10;

/// How many connections there may be, and what they may take.
#[derive(Debug, Clone)]
#[must_use]
pub struct Connections {
    tls: Option<Tls>,
    room: Room,
    headers: Duration,
    writes: Duration,
    drain: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            tls: None,
            room: Room {
                most: 4096,
                per_address: 512,
                // Not known before a request is read.
                per_principal: usize::MAX,
            },
            headers: Duration::from_secs(15),
            writes: Duration::from_secs(30),
            drain: Duration::from_secs(10),
        }
    }
}

impl Connections {
    /// Behind TLS, if there is any.
    pub fn tls(mut self, tls: Option<Tls>) -> Self {
        self.tls = tls;
        self
    }

    /// Most connections at once: 4,096 without this. For others, those make room that are between requests,
    /// the longest first, and then those that are slow to send one. If all are in use, others are refused at
    /// once: 503 with `Retry-After`.
    pub fn most(mut self, connections: usize) -> Self {
        self.room.most = connections.max(1);
        self
    }

    /// Most connections of one address (of IPv6: of one network of 64 bits) at once: 512 without this. Others
    /// are refused with 429. Addresses of this machine have no such limit: a proxy may speak for many.
    pub fn per_address(mut self, connections: usize) -> Self {
        self.room.per_address = connections.max(1);
        self
    }

    /// How long a connection may take to send the head of a request, and to begin one: 15 seconds
    /// without this.
    pub fn headers(mut self, time: Duration) -> Self {
        self.headers = time;
        self
    }

    /// How long a connection may take to read on when its answer waits for that: 30 seconds without
    /// this.
    pub fn writes(mut self, time: Duration) -> Self {
        self.writes = time;
        self
    }

    /// How long what runs may go on after the server was told to stop: 10 seconds without this.
    pub fn drain(mut self, time: Duration) -> Self {
        self.drain = time;
        self
    }
}

/// Serves HTTP until it is told to stop, and then waits for what runs, for the time that
/// [`Connections::drain`] allows.
pub async fn listen<S, B>(
    listener: TcpListener,
    service: S,
    connections: Connections,
    stop: CancellationToken,
) -> io::Result<()>
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>,
    S: Clone + Send + 'static,
    S::Future: Send + 'static,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let tls = connections.tls;
    let places = Arc::new(Places::new(connections.room));
    let turn_away = TurnAway::new();
    let tasks = TaskTracker::new();
    let ended = CancellationToken::new();
    // If this future is dropped, the connections end, too.
    let _end_on_drop = ended.clone().drop_guard();
    while let Some((stream, address)) = stop.run_until_cancelled(accept(&listener, &places)).await {
        let end = ended.child_token();
        let place = match places.take(address.ip(), end.clone()) {
            Ok(place) => place,
            Err(full) => {
                turn_away.tell(stream, full, tls.is_some());
                continue;
            }
        };
        let peer = place.peer();
        let stream = WriteTimeout::new(stream, connections.writes, Arc::clone(&peer.place));
        let connection = begin(
            stream,
            tls.clone(),
            (service.clone(), peer),
            connections.headers,
            stop.clone(),
        );
        tasks.spawn(async move {
            end.run_until_cancelled(connection).await;
            drop(place);
        });
    }
    // Later clients are refused, rather than left waiting for an `accept` that never comes.
    drop(listener);
    tasks.close();
    if tokio::time::timeout(connections.drain, tasks.wait())
        .await
        .is_err()
    {
        ended.cancel();
        tasks.wait().await;
    }
    Ok(())
}

/// The next connection.
async fn accept(listener: &TcpListener, places: &Places) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                // Small answers are not held back for more.
                let _ = stream.set_nodelay(true);
                return (stream, address);
            }
            // Too many files are open, or the client is gone already: neither is for ever.
            Err(error) => {
                tracing::warn!(target: "toolpact::http", %error, "a connection was not accepted");
                places.make_room();
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Serves a connection, behind TLS if there is one.
async fn begin<S, B>(
    stream: WriteTimeout,
    tls: Option<Tls>,
    (service, mut peer): (S, Peer),
    headers: Duration,
    stop: CancellationToken,
) where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>,
    S: Clone + Send + 'static,
    S::Future: Send + 'static,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let Some(tls) = tls else {
        return serve(stream, Tracked::new(service, peer), headers, stop).await;
    };
    let accepted = stop.run_until_cancelled(tls.accept(stream, headers));
    if let Some(Some((stream, certificate))) = accepted.await {
        peer.certificate = certificate.map(Arc::new);
        serve(stream, Tracked::new(service, peer), headers, stop).await;
    }
}

async fn serve<I, S, B>(stream: I, service: S, headers: Duration, stop: CancellationToken)
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>,
    S: Clone + Send + 'static,
    S::Future: Send + 'static,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut http = http1::Builder::new();
    http.timer(HeadTimer::default())
        .header_read_timeout(headers)
        .max_buf_size(BUFFER);
    let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(target: "toolpact::http", %error, "a connection ended badly");
    }
}
