//! What a call sends to its host: numbered messages as far as there is credit, and the outcome.

use std::collections::VecDeque;
use std::sync::Arc;

use async_nats::service::Request;
use async_nats::{HeaderMap, Subject};
use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::OwnedSemaphorePermit;
use toolpact::core::json::Value;
use toolpact::core::model::{ErrorObject, ToolName, ToolResult};
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::session::Update;
use toolpact::{Completed, ToolError};

use super::RuntimeShared;
use super::outcomes::Outcome;
use super::running::Credit;
use crate::batch;
use crate::headers;
use crate::questions::{Asked, Open};
use crate::remote_tool::HEADROOM;
use crate::wire::{self, CREDIT_EACH, Kind, LONG_BODY, WINDOW, WINDOW_BYTES};

/// Parts of what is too long for a message.
const CHUNK: usize = 256 << 10;

/// Most bytes of bodies that wait to be written to the connection: beats come behind them.
pub(super) const UNWRITTEN: usize = 1 << 20;

/// How the outcome of a call goes back.
pub(super) enum Way {
    /// By the endpoint that the call came to, which counts it.
    Alone(Box<Request>),
    /// With those of others: the reply subject of the batch, and the attempt.
    Together(Subject, Box<str>, u32),
}

/// The messages of one call.
pub(super) struct Outbox<'a> {
    pub(super) shared: &'a RuntimeShared,
    pub(super) way: &'a Way,
    pub(super) reply: Subject,
    pub(super) credit: Arc<Credit>,
    /// The number of the last message.
    pub(super) seq: u64,
    /// The bytes of the last messages, of which the host may not have taken the first.
    pub(super) not_taken: VecDeque<usize>,
    /// Whether the host takes bodies in parts.
    pub(super) chunks: bool,
}

impl Outbox<'_> {
    /// Sends what a tool has said before it is done.
    pub(super) async fn update(&mut self, update: Update) {
        let (kind, body) = match update {
            Update::Progress(status) => (Kind::Progress, json(&status.progress())),
            Update::Item(item) => (Kind::Item, Bytes::from_owner(ItemText(item))),
            Update::Log(line) => {
                // As it is spelled.
                let level = line.level.name();
                let text = format!(r#"{{"level":"{level}","message":{}}}"#, line.message);
                (Kind::Log, text.into_bytes().into())
            }
            _ => return,
        };
        self.before_the_outcome(kind, body).await;
    }

    /// Sends an outcome with those of others, if it is as most of them are: not long, and with nothing before it.
    pub(super) fn result_together(&self, completed: &Completed) -> bool {
        let Way::Together(..) = self.way else {
            return false;
        };
        if self.seq > 0 || completed.gave_text() || completed.own_text().is_some() {
            return false;
        }
        let body = Bytes::from(completed.to_adm_json());
        let error = completed.error().map(|error| error.to_standard().to_json());
        self.together(Kind::Result, error.as_deref(), &body)
    }

    /// Asks the host something. Whoever waits for the answer hears if that cannot be.
    pub(super) async fn question(&mut self, asked: Asked, open: &Open) {
        if !self.fits(asked.body.len()) {
            let message = "The question is longer than a message on the grid can be.";
            let error = wire::grid_error(ErrorKind::Internal, "question_too_long", message);
            // The tool may have stopped to wait for it.
            let _ = asked.answer.send(Err(error));
            return;
        }
        open.add(self.seq + 1, asked.answer);
        self.numbered(Kind::Question, None, asked.body).await;
    }

    /// Sends the outcome, in parts if it is long.
    pub(super) async fn result(mut self, completed: &Completed) {
        let text = match completed.gave_text() {
            // The result is the text.
            true => Some(Bytes::new()),
            false => {
                let text = completed.own_text().filter(|text| !text.is_empty());
                text.map(|text| text.into_owned().into_bytes().into())
            }
        };
        if let Some(text) = text {
            self.before_the_outcome(Kind::Text, text).await;
        }
        if self.chunks
            && let Some((before, value, after)) = completed.to_adm_parts()
            && !self.fits(before.len() + value.text().len() + after.len())
        {
            let value = Bytes::from_owner(ItemText(value));
            return self
                .in_parts([before.into(), value, Bytes::from_static(after)])
                .await;
        }
        let body = Bytes::from(completed.to_adm_json());
        let error = completed.error().map(ToolError::to_standard);
        let name = completed.name();
        match self.fits(body.len()) {
            true => self.last(Kind::Result, name, error.as_ref(), body).await,
            false if self.chunks && error.is_none() => self.in_parts([body]).await,
            false => self.failure(name, &too_long()).await,
        }
    }

    /// Says that the call was not begun.
    pub(super) async fn refuse(self, name: &str, error: &ToolError) {
        let body = error_body(name, error);
        let error = error.as_standard();
        self.last(Kind::Refused, name, Some(error), body).await;
    }

    /// Sends an error as the outcome.
    async fn failure(&self, name: &str, error: &ToolError) {
        let body = error_body(name, error);
        let error = error.as_standard();
        self.last(Kind::Result, name, Some(error), body).await;
    }

    /// Sends a numbered message, in parts if it is long. What a host without parts cannot take is left out.
    async fn before_the_outcome(&mut self, kind: Kind, body: Bytes) {
        if self.fits(body.len()) {
            self.numbered(kind, None, body).await;
        } else if self.chunks {
            let length = body.len();
            self.parts([body]).await;
            self.numbered(kind, Some(length), Bytes::new()).await;
        }
    }

    async fn in_parts<const N: usize>(mut self, pieces: [Bytes; N]) {
        let length: usize = pieces.iter().map(Bytes::len).sum();
        self.parts(pieces).await;
        let mut map = HeaderMap::new();
        map.insert(headers::LENGTH, length.to_string());
        self.last_message(map, Bytes::new()).await;
    }

    /// The first says how long all are together, so that the host can make room for them at once.
    async fn parts<const N: usize>(&mut self, mut pieces: [Bytes; N]) {
        let mut length = Some(pieces.iter().map(Bytes::len).sum());
        while let Some(part) = next_part(&mut pieces, CHUNK.min(self.most())) {
            self.numbered(Kind::Chunk, length.take(), part).await;
        }
    }

    /// Sends a numbered message when there is credit for it. One that is not sent ends the call at its host, which
    /// misses the number.
    async fn numbered(&mut self, kind: Kind, length: Option<usize>, body: Bytes) {
        self.has_credit(body.len()).await;
        self.seq += 1;
        let mut map = headers::of_kind(kind.name());
        map.insert(headers::SEQ, self.seq.to_string());
        if let Some(length) = length {
            map.insert(headers::LENGTH, length.to_string());
        }
        let body = self.in_turn(body).await;
        let sent = self
            .shared
            .client
            .publish_with_headers(self.reply.clone(), map, body);
        let _ = sent.await;
    }

    /// Waits until the next message may be sent.
    async fn has_credit(&mut self, bytes: usize) {
        loop {
            let taken = self.credit.number();
            let ahead = self.seq.saturating_sub(taken);
            while self.not_taken.len() as u64 > ahead {
                self.not_taken.pop_front();
            }
            let together = bytes + self.not_taken.iter().sum::<usize>();
            let most = match together <= WINDOW_BYTES {
                true => WINDOW,
                false => CREDIT_EACH,
            };
            if ahead < most {
                break;
            }
            self.credit.reaches(taken + 1).await;
        }
        self.not_taken.push_back(bytes);
    }

    /// Sends an outcome that is no longer than a message can be.
    async fn last(&self, kind: Kind, name: &str, error: Option<&StandardError>, body: Bytes) {
        let json = error.map(StandardError::to_json);
        if self.together(kind, json.as_deref(), &body) {
            return;
        }
        let mut map = match kind {
            Kind::Result => HeaderMap::new(),
            kind => headers::of_kind(kind.name()),
        };
        if let Some(json) = json {
            wire::add_error(&mut map, &json);
        }
        let header = map
            .get(headers::ERROR)
            .map_or(0, |value| value.as_str().len());
        match self.fits(body.len() + header) {
            true => self.last_message(map, body).await,
            // The error without its details, which are what is long.
            false => {
                let error = too_long();
                let mut map = HeaderMap::new();
                wire::add_error(&mut map, &error.as_standard().to_json());
                self.last_message(map, error_body(name, &error)).await;
            }
        }
    }

    /// Lets an outcome go with those of others. Returns whether it may.
    fn together(&self, kind: Kind, error: Option<&str>, body: &Bytes) -> bool {
        let Way::Together(batch, invocation, attempt) = self.way else {
            return false;
        };
        let is_small = body.len() + error.map_or(0, str::len) <= batch::SMALL;
        if self.seq > 0 || !is_small {
            return false;
        }
        self.shared.outcomes.push(Outcome {
            batch: batch.clone(),
            invocation: invocation.clone(),
            attempt: *attempt,
            is_refused: kind == Kind::Refused,
            error: error.and_then(|json| RawValue::from_string(json.to_owned()).ok()),
            body: body.clone(),
        });
        true
    }

    async fn last_message(&self, mut map: HeaderMap, body: Bytes) {
        if self.seq > 0 {
            map.insert(headers::SEQ, (self.seq + 1).to_string());
        }
        let body = self.in_turn(body).await;
        let client = &self.shared.client;
        // A host that does not get it hears no beats either.
        let _ = match self.way {
            Way::Alone(request) => request.respond_with_headers(Ok(body), map).await,
            Way::Together(..) => {
                client
                    .publish_with_headers(self.reply.clone(), map, body)
                    .await
            }
        };
    }

    /// The body, when there is a place for it among those that wait to be written. It has the place until it is.
    async fn in_turn(&self, body: Bytes) -> Bytes {
        if body.len() < LONG_BODY {
            return body;
        }
        tokio::task::yield_now().await;
        let bytes = u32::try_from(body.len().min(UNWRITTEN)).unwrap_or(u32::MAX);
        let place = Arc::clone(&self.shared.unwritten);
        match place.acquire_many_owned(bytes).await {
            Ok(place) => Bytes::from_owner(Unwritten(body, place)),
            // It is never closed.
            Err(_) => body,
        }
    }

    fn fits(&self, bytes: usize) -> bool {
        bytes <= self.most()
    }

    /// Most bytes of a message.
    fn most(&self) -> usize {
        self.shared
            .client
            .max_payload()
            .saturating_sub(HEADROOM)
            .max(1024)
    }
}

/// The next bytes of a body, at most so many. They are copied only where they are of two pieces.
fn next_part(pieces: &mut [Bytes], most: usize) -> Option<Bytes> {
    let mut part = Bytes::new();
    for piece in pieces {
        let more = piece.split_to(piece.len().min(most - part.len()));
        part = match (part.is_empty(), more.is_empty()) {
            (true, _) => more,
            (_, true) => part,
            (false, false) => [part, more].concat().into(),
        };
        if part.len() == most {
            break;
        }
    }
    (!part.is_empty()).then_some(part)
}

fn error_body(name: &str, error: &ToolError) -> Bytes {
    let result = ToolName::new(name).map(|name| ToolResult::Error {
        name,
        error: ErrorObject::from(error.as_standard()),
    });
    result
        .map(|result| result.to_json())
        .unwrap_or_default()
        .into()
}

fn too_long() -> ToolError {
    let message = "The result of this tool is longer than a message on the grid can be.";
    wire::grid_error(ErrorKind::Internal, "result_too_long", message)
}

fn json<T: Serialize>(value: &T) -> Bytes {
    serde_json::to_vec(value).unwrap_or_default().into()
}

/// A body with its place.
struct Unwritten(
    Bytes,
    #[expect(dead_code, reason = "given back when it is dropped")] OwnedSemaphorePermit,
);

impl AsRef<[u8]> for Unwritten {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The text of an event, a chunk or a result, which may be long: it is sent from where it is.
struct ItemText(Value);

impl AsRef<[u8]> for ItemText {
    fn as_ref(&self) -> &[u8] {
        self.0.text().as_bytes()
    }
}
