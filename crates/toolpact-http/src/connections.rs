//! Connections of an HTTP server, so that none of them can block others.

use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_service::Service;

use crate::head_timer::HeadTimer;
use crate::write_timeout::WriteTimeout;

/// Most bytes that are kept of what a connection sends or is sent, and so of the head of a request.
const BUFFER: usize = 64 << 10;

/// How many connections there may be, and what they may take.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Connections {
    most: usize,
    headers: Duration,
    writes: Duration,
    drain: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            most: 4096,
            headers: Duration::from_secs(15),
            writes: Duration::from_secs(30),
            drain: Duration::from_secs(10),
        }
    }
}

impl Connections {
    /// Most connections at once: 4,096 without this. Others wait until one ends.
    pub fn most(mut self, connections: usize) -> Self {
        self.most = connections.clamp(1, Semaphore::MAX_PERMITS);
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
    let permits = Arc::new(Semaphore::new(connections.most));
    let tasks = TaskTracker::new();
    let ended = CancellationToken::new();
    // If this future is dropped, the connections end, too.
    let _end_on_drop = ended.clone().drop_guard();
    while let Some(accepted) = stop.run_until_cancelled(accept(&listener, &permits)).await {
        let (stream, permit) = accepted?;
        let stream = WriteTimeout::new(stream, connections.writes);
        let connection = serve(stream, service.clone(), connections.headers, stop.clone());
        let ended = ended.clone();
        tasks.spawn(async move {
            ended.run_until_cancelled(connection).await;
            drop(permit);
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

/// The next connection, when there is a permit for it.
async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let permit = Arc::clone(permits).acquire_owned().await;
    let permit = permit.map_err(io::Error::other)?;
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Small answers are not held back for more.
                let _ = stream.set_nodelay(true);
                return Ok((stream, permit));
            }
            // Too many files are open, or the client is gone already: neither is for ever.
            Err(error) => {
                tracing::warn!(target: "toolpact::http", %error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

async fn serve<S, B>(stream: WriteTimeout, service: S, headers: Duration, stop: CancellationToken)
where
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
