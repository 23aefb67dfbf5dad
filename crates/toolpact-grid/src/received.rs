//! What a runtime has sent of a call before its result.

use async_nats::Message;
use bytes::Bytes;
use serde::Deserialize;
use toolpact::core::json::Value;
use toolpact::returns::Progress;
use toolpact::session::LogLevel;
use toolpact::{Context, ToolError};

use crate::headers;
use crate::host::Outcome;
use crate::parts::{NotText, Parts};
use crate::wire::{CREDIT_EACH, CREDIT_EACH_BYTES, Kind};

const NO_UTF8: &str = "a body that is no UTF-8";

/// Why a call is over before its result.
pub(crate) enum Broken {
    /// The runtime does not keep to the protocol.
    Protocol(&'static str),
    /// What it sent is refused, with the outcome of the call.
    Refused(ToolError),
}

impl From<&'static str> for Broken {
    fn from(what: &'static str) -> Self {
        Self::Protocol(what)
    }
}

/// What a runtime has sent of a call before its result.
pub(crate) struct Received {
    /// The number of the last message.
    seq: u64,
    credited: u64,
    /// The bytes of messages since then.
    since: usize,
    pub(crate) text: Option<String>,
    /// What has come of a long body.
    parts: Parts,
    most: usize,
}

impl Received {
    /// A result may have so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            seq: 0,
            credited: 0,
            since: 0,
            text: None,
            parts: Parts::default(),
            most,
        }
    }

    /// Takes a numbered message. Returns the credit that is due, or why the call is over.
    pub(crate) async fn take(
        &mut self,
        kind: Kind,
        message: Message,
        context: &Context,
    ) -> Result<Option<u64>, Broken> {
        let map = message.headers.as_ref();
        let number = map.and_then(|map| headers::number::<u64>(map, headers::SEQ));
        match (number, kind) {
            (None, Kind::Unknown) => return Ok(None),
            (Some(number), _) if number == self.seq + 1 => self.seq = number,
            _ => {
                return Err(Broken::Protocol(
                    "a message whose number is not the next one",
                ));
            }
        }
        let length = map.and_then(|map| headers::number::<usize>(map, headers::LENGTH));
        self.since = self.since.saturating_add(message.payload.len());
        let body = match kind {
            Kind::Chunk => message.payload,
            _ => self.whole(length, message.payload)?,
        };
        match kind {
            Kind::Progress => {
                let progress: WireProgress = read(&body)?;
                context.progress(progress.into_progress()).await;
            }
            Kind::Item => {
                let item = Value::from_json(&body).map_err(|_| "an item that is no JSON")?;
                // As for a tool that runs here: it ends with the error that it gets for such an item.
                context.emit_json(item).await.map_err(Broken::Refused)?;
            }
            Kind::Log => {
                let line: WireLog = read(&body)?;
                let level = LogLevel::from_name(&line.level).unwrap_or(LogLevel::Info);
                let message =
                    Value::from_json(line.message.get()).map_err(|_| "a line that is no JSON")?;
                context.log(level, message).await;
            }
            Kind::Text => {
                let text = String::from_utf8(body.into());
                self.text = Some(text.map_err(|_| "a text that is no UTF-8")?);
            }
            Kind::Chunk => self.add(&body, length)?,
            _ => {}
        }
        let is_due = self.seq >= self.credited + CREDIT_EACH || self.since >= CREDIT_EACH_BYTES;
        Ok(is_due.then(|| {
            (self.credited, self.since) = (self.seq, 0);
            self.seq
        }))
    }

    /// The number of the last message.
    pub(crate) fn number(&self) -> u64 {
        self.seq
    }

    /// The outcome, of which the body may have come in parts.
    pub(crate) fn outcome(
        &mut self,
        kind: Kind,
        message: Message,
    ) -> Result<Outcome, &'static str> {
        let map = message.headers.as_ref();
        let number = map.and_then(|map| headers::number::<u64>(map, headers::SEQ));
        if number.unwrap_or(1) != self.seq + 1 {
            return Err("a result after messages that did not arrive");
        }
        let length = map.and_then(|map| headers::number::<usize>(map, headers::LENGTH));
        let error = map.and_then(|map| headers::text(map, headers::ERROR));
        let is_success =
            error.is_none() && kind == Kind::Result && length == Some(self.parts.length());
        let content = is_success.then(|| self.parts.content()).flatten();
        Ok(Outcome {
            is_refused: kind == Kind::Refused,
            error: error.map(Box::from),
            body: match content {
                Some(_) => Bytes::new(),
                None => self.whole(length, message.payload)?,
            },
            content,
        })
    }

    /// The whole body of a message, which may have come in parts before it.
    fn whole(&mut self, length: Option<usize>, body: Bytes) -> Result<Bytes, &'static str> {
        match length {
            None if self.parts.length() == 0 => Ok(body),
            Some(length) if length == self.parts.length() && body.is_empty() => {
                let whole = self.parts.whole().map_err(|NotText| NO_UTF8)?;
                Ok(whole.into_bytes().into())
            }
            _ => Err("a body of another length than it says"),
        }
    }

    /// Adds a part. The first may say how long all are together.
    fn add(&mut self, part: &[u8], length: Option<usize>) -> Result<(), Broken> {
        if part.len() > self.most.saturating_sub(self.parts.length()) {
            let most = self.most;
            let message = format!(
                "The result has more than the {most} bytes that are allowed. Ask for less."
            );
            let error = ToolError::with_code("INTERNAL_RESULT_SIZE", message);
            return Err(Broken::Refused(error));
        }
        if let Some(length) = length {
            self.parts.expect(length.min(self.most));
        }
        self.parts
            .add(part)
            .map_err(|NotText| Broken::Protocol(NO_UTF8))
    }
}

fn read<'m, T: Deserialize<'m>>(payload: &'m [u8]) -> Result<T, &'static str> {
    serde_json::from_slice(payload).map_err(|_| "a message that is not what its kind says")
}

#[derive(Deserialize)]
pub(crate) struct WireProgress {
    percent: Option<u8>,
    current_step: Option<u64>,
    total_steps: Option<u64>,
    message: Option<String>,
}

impl WireProgress {
    /// As far as it can be.
    pub(crate) fn into_progress(self) -> Progress {
        let mut progress = Progress::default();
        if let Some(percent) = self.percent {
            progress = progress.clone().with_percent(percent).unwrap_or(progress);
        }
        if let Some((current, total)) = self.current_step.zip(self.total_steps) {
            progress = progress
                .clone()
                .with_steps(current, total)
                .unwrap_or(progress);
        }
        match self.message {
            Some(message) => progress.with_message(&message),
            None => progress,
        }
    }
}

#[derive(Deserialize)]
struct WireLog {
    level: String,
    message: Box<serde_json::value::RawValue>,
}

#[cfg(test)]
mod tests {
    use super::{Broken, Received};

    #[test]
    fn no_more_is_taken_than_a_result_may_have() {
        let mut received = Received::new(10);
        assert!(received.add(b"12345678", Some(usize::MAX)).is_ok());
        assert!(matches!(
            received.add(b"901", None),
            Err(Broken::Refused(_))
        ));
        assert!(received.add(b"90", None).is_ok());
        assert!(matches!(received.add(b"1", None), Err(Broken::Refused(_))));
    }

    #[test]
    fn parts_that_are_no_text_end_the_call() {
        let mut received = Received::new(10);
        assert!(matches!(
            received.add(b"a\xff", None),
            Err(Broken::Protocol(_))
        ));
    }
}
