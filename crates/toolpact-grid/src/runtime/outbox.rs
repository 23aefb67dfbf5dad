//! What a call sends to its host: numbered messages as far as there is credit, and the result.

use async_nats::service::Request;
use async_nats::{Client, HeaderMap, Subject};
use bytes::Bytes;
use serde::Serialize;
use tokio::sync::watch;
use toolpact::core::model::{ErrorObject, ToolName, ToolResult};
use toolpact::core::returns::ErrorKind;
use toolpact::session::Update;
use toolpact::{Completed, ToolError};

use crate::headers;
use crate::questions::{Asked, Open};
use crate::remote_tool::HEADROOM;
use crate::wire::{self, Kind, WINDOW};

/// Parts of a long result.
const CHUNK: usize = 256 << 10;

/// The messages of one call.
pub(super) struct Outbox<'a> {
    pub(super) client: &'a Client,
    /// The call, whose last answer is counted by the service.
    pub(super) request: &'a Request,
    pub(super) reply: Subject,
    pub(super) credit: watch::Receiver<u64>,
    /// The number of the last message.
    pub(super) seq: u64,
    /// Whether the host takes results in parts.
    pub(super) chunks: bool,
}

impl Outbox<'_> {
    /// Sends what a tool has said before it is done.
    pub(super) async fn update(&mut self, update: Update) {
        let (kind, body) = match update {
            Update::Progress(status) => (Kind::Progress, json(&status.progress())),
            Update::Item(item) => (Kind::Item, item.text().as_bytes().to_vec()),
            Update::Log(line) => {
                // As it is spelled.
                let level = line.level.name();
                let text = format!(r#"{{"level":"{level}","message":{}}}"#, line.message);
                (Kind::Log, text.into_bytes())
            }
            _ => return,
        };
        if self.fits(body.len()) {
            self.numbered(kind, body.into()).await;
        }
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
        self.numbered(Kind::Question, asked.body).await;
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
        if let Some(text) = text.filter(|text| self.fits(text.len())) {
            self.numbered(Kind::Text, text).await;
        }
        let body = Bytes::from(completed.to_adm_json());
        let error = completed.error().map(ToolError::to_standard);
        let mut map = HeaderMap::new();
        if let Some(error) = &error {
            wire::add_error(&mut map, error);
        }
        let header: usize = map
            .get(headers::ERROR)
            .map_or(0, |value| value.as_str().len());
        match self.fits(body.len() + header) {
            true => self.last(map, body).await,
            false if self.chunks && header == 0 => self.in_parts(body).await,
            false => self.failure(completed.name(), &too_long()).await,
        }
    }

    /// Sends an error as the outcome.
    async fn failure(&self, name: &str, error: &ToolError) {
        let mut map = HeaderMap::new();
        wire::add_error(&mut map, error.as_standard());
        self.last(map, error_body(name, error)).await;
    }

    async fn in_parts(mut self, body: Bytes) {
        let mut rest = body.clone();
        while !rest.is_empty() {
            let part = rest.split_to(CHUNK.min(rest.len()).min(self.most()));
            if !self.numbered(Kind::Chunk, part).await {
                return;
            }
        }
        let mut map = HeaderMap::new();
        map.insert(headers::LENGTH, body.len().to_string());
        self.last(map, Bytes::new()).await;
    }

    /// Sends a numbered message when there is credit for it. Returns whether it was sent: the call may be over.
    async fn numbered(&mut self, kind: Kind, body: Bytes) -> bool {
        let number = self.seq + 1;
        if self
            .credit
            .wait_for(|credit| number <= credit + WINDOW)
            .await
            .is_err()
        {
            return false;
        }
        let mut map = headers::of_kind(kind.name());
        map.insert(headers::SEQ, number.to_string());
        self.seq = number;
        let sent = self
            .client
            .publish_with_headers(self.reply.clone(), map, body);
        sent.await.is_ok()
    }

    async fn last(&self, mut map: HeaderMap, body: Bytes) {
        if self.seq > 0 {
            map.insert(headers::SEQ, (self.seq + 1).to_string());
        }
        // A host that does not get it hears no beats either.
        let _ = self.request.respond_with_headers(Ok(body), map).await;
    }

    fn fits(&self, bytes: usize) -> bool {
        bytes <= self.most()
    }

    /// Most bytes of a message.
    fn most(&self) -> usize {
        self.client.max_payload().saturating_sub(HEADROOM).max(1024)
    }
}

/// Says that a call was not begun.
pub(super) async fn refuse(request: &Request, name: &str, error: &ToolError) {
    let mut map = headers::of_kind(Kind::Refused.name());
    wire::add_error(&mut map, error.as_standard());
    // A host that does not get it hears no beats either.
    let body = error_body(name, error);
    let _ = request.respond_with_headers(Ok(body), map).await;
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

fn json<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
