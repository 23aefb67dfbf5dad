//! The client: as little as can be, because it shares the processor with the servers.

use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use serde_json::Value as Json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::Result;
use crate::measure::Place;
use crate::modes::{Mode, Request};
use crate::tool::ARGUMENTS;

/// A connection that stays open, and the session of it.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    call: Request,
    calls: u32,
}

/// What was done in a turn.
pub(crate) struct Turn {
    pub(crate) took: Duration,
    /// How long each call took.
    pub(crate) calls: Vec<Duration>,
}

/// Keeps all connections busy for some time.
pub(crate) async fn turn(connections: &mut [Connection], time: Duration) -> Result<Turn> {
    let start = Instant::now();
    let busy = connections
        .iter_mut()
        .map(|connection| connection.until(start + time));
    let calls = try_join_all(busy).await?;
    Ok(Turn {
        took: start.elapsed(),
        calls: calls.concat(),
    })
}

impl Connection {
    pub(crate) async fn open(place: &Place, mode: Mode) -> Result<Self> {
        let credentials = &place.credentials;
        let stream = TcpStream::connect(("127.0.0.1", place.port)).await?;
        stream.set_nodelay(true)?;
        let mut connection = Self {
            stream,
            buffer: Vec::with_capacity(1 << 16),
            call: mode.call(None, credentials),
            calls: 0,
        };
        if mode != Mode::Alone {
            let initialize = mode.initialize(credentials);
            connection.ask(initialize.as_bytes()).await?;
            let head = String::from_utf8_lossy(&connection.buffer).into_owned();
            let line = head
                .lines()
                .find_map(|line| line.strip_prefix("mcp-session-id: "));
            let session = line.ok_or("expected a session")?;
            let initialized = mode.initialized(session, credentials);
            connection.ask(initialized.as_bytes()).await?;
            connection.call = mode.call(Some(session), credentials);
        }
        Ok(connection)
    }

    /// Calls whose answers are read and compared with what the tool was told.
    pub(crate) async fn warm_up(&mut self, calls: usize) -> Result<()> {
        let expected: Json = serde_json::from_str(ARGUMENTS)?;
        for _ in 0..calls {
            self.one().await?;
            let text = String::from_utf8_lossy(&self.buffer);
            let mut messages = text.lines().filter_map(|line| {
                let line = line.strip_prefix("data:").unwrap_or(line).trim();
                serde_json::from_str(line).ok().filter(Json::is_object)
            });
            let answer: Json = messages.next_back().unwrap_or_default();
            if !is_right(&answer, self.calls, &expected) {
                return Err(format!("expected {expected}, got {text}").into());
            }
        }
        Ok(())
    }

    async fn until(&mut self, end: Instant) -> Result<Vec<Duration>> {
        let mut calls = Vec::with_capacity(4096);
        let mut start = Instant::now();
        while start < end {
            self.one().await?;
            let now = Instant::now();
            calls.push(now - start);
            start = now;
        }
        Ok(calls)
    }

    async fn one(&mut self) -> Result<()> {
        self.calls += 1;
        let request = self.call.numbered(self.calls);
        exchange(&mut self.stream, request, &mut self.buffer).await
    }

    async fn ask(&mut self, request: &[u8]) -> Result<()> {
        exchange(&mut self.stream, request, &mut self.buffer).await
    }
}

/// Whether this is the answer to the call of this number. One server sends the call itself back.
pub(crate) fn is_right(answer: &Json, number: u32, expected: &Json) -> bool {
    let result = &answer["result"];
    let is_result = result["structuredContent"] == *expected
        && result["isError"] != true
        && result["content"][0]["text"].is_string();
    answer["id"] == 1_000_000 + number && (is_result || answer["params"]["arguments"] == *expected)
}

/// Sends a request, and reads the whole of the answer.
async fn exchange(stream: &mut TcpStream, request: &[u8], buffer: &mut Vec<u8>) -> Result<()> {
    stream.write_all(request).await?;
    buffer.clear();
    while !whole(buffer) {
        if stream.read_buf(buffer).await? == 0 {
            return Err("the server hung up".into());
        }
    }
    match buffer.starts_with(b"HTTP/1.1 20") {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(buffer).into()),
    }
}

/// Whether an answer is all there. One in chunks ends with an empty one.
fn whole(answer: &[u8]) -> bool {
    let Some(head) = find(answer, b"\r\n\r\n") else {
        return false;
    };
    let (head, body) = answer.split_at(head);
    let Some(length) = find(head, b"\r\ncontent-length: ") else {
        return body.ends_with(b"\r\n0\r\n\r\n");
    };
    let digits = head[length + 18..].iter();
    let digits = digits.take_while(|byte| byte.is_ascii_digit());
    let length = digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0'));
    body.len() >= 4 + length
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}
