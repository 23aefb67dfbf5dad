//! Connections that there is no place for: they are told so at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use toolpact_core::returns::ErrorKind;

use crate::peer::NoRoom;

/// Most connections that are told at once. Others are closed without a word.
const AT_ONCE: usize = 256;

/// How long telling may take.
const TIME: Duration = Duration::from_secs(1);

/// After how many seconds to come back.
const RETRY: u32 = 1;

/// How often it is logged.
const LOG: Duration = Duration::from_secs(10);

/// Tells connections that there is no place for them.
pub(crate) struct TurnAway {
    permits: Arc<Semaphore>,
    born: Instant,
    /// When it was logged last, in milliseconds, and how many came since.
    logged: AtomicU64,
    since: AtomicU64,
}

impl TurnAway {
    pub(crate) fn new() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(AT_ONCE)),
            born: Instant::now(),
            logged: AtomicU64::new(0),
            since: AtomicU64::new(0),
        }
    }

    /// A client that expects TLS would not understand it, and is not worth a handshake.
    pub(crate) fn tell(&self, stream: TcpStream, full: NoRoom, is_tls: bool) {
        self.log(full);
        if is_tls {
            return;
        }
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else {
            return;
        };
        tokio::spawn(async move {
            let _ = tokio::time::timeout(TIME, say(stream, full)).await;
            drop(permit);
        });
    }

    fn log(&self, full: NoRoom) {
        let refused = self.since.fetch_add(1, Ordering::Relaxed) + 1;
        let now = u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX);
        let last = self.logged.load(Ordering::Relaxed);
        let is_due = last == 0 || u128::from(now - last.min(now)) >= LOG.as_millis();
        if is_due {
            self.logged.store(now.max(1), Ordering::Relaxed);
            self.since.store(0, Ordering::Relaxed);
            let why = why(full);
            tracing::warn!(target: "toolpact::http", refused, why, "connections are refused");
        }
    }
}

fn why(full: NoRoom) -> &'static str {
    match full {
        NoRoom::Address => "this address has as many connections as one may have",
        // Nobody is: it is known when a request has been read.
        NoRoom::Principal => "the principal has as many connections as one may have",
        NoRoom::Server => "the server has as many connections as it may have",
    }
}

/// The request is not understood, so the answer is the same for all. It waits for the request to begin:
/// clients do not expect an answer before that.
async fn say(mut stream: TcpStream, full: NoRoom) -> std::io::Result<()> {
    let (why, code) = (why(full), ErrorKind::TooManyAtOnce.code());
    let ms = u64::from(RETRY) * 1000;
    let body = format!(
        "{{\"code\":\"{code}\",\"message\":\"Expected fewer connections: {why}, and all are in use. Try again in {RETRY} s.\",\
         \"details\":{{\"retry_after_ms\":{ms}}}}}\n"
    );
    let (status, length) = (full.status(), body.len());
    let answer = format!(
        "HTTP/1.1 {status}\r\nretry-after: {RETRY}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    let mut rest = [0; 4096];
    if stream.read(&mut rest).await? == 0 {
        return Ok(());
    }
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // A connection that is closed with something unread loses what was written.
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}
