//! What a tool sends before its result, as notifications: progress, log lines, and parts of a stream.

use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Value as Json, json};
use toolpact::Completed;
use toolpact::core::json::Value;
use toolpact::core::returns::types;
use toolpact::session::{CallStream, LogLevel, LogLine, Update};

use super::Outbox;
use crate::rpc;

/// The key of an event or a chunk in the `_meta` of a progress notification.
const ITEM: &str = "toolpact/item";

/// The updates of one call that its client wants.
pub(crate) struct Updates {
    progress: Option<Progress>,
    level: Option<LogLevel>,
    outbox: Arc<dyn Outbox>,
}

impl Updates {
    /// `None` if the client wants none.
    pub(super) fn wanted(
        token: Option<Box<str>>,
        level: Option<LogLevel>,
        outbox: Arc<dyn Outbox>,
    ) -> Option<Self> {
        let progress = token.and_then(Progress::new);
        (progress.is_some() || level.is_some()).then_some(Self {
            progress,
            level,
            outbox,
        })
    }

    /// Waits for the end of a call, and sends its updates meanwhile.
    pub(super) async fn follow(&mut self, mut running: CallStream) -> Completed {
        while let Some(update) = running.next().await {
            if let Some(message) = self.write(&update) {
                self.outbox.offer(message);
            }
        }
        running.finish().await
    }

    fn write(&mut self, update: &Update) -> Option<Vec<u8>> {
        match update {
            Update::Log(line) => {
                let is_wanted = self.level.is_some_and(|level| line.level >= level);
                is_wanted.then(|| log(line))
            }
            update => self.progress.as_mut()?.write(update),
        }
    }
}

fn log(line: &LogLine) -> Vec<u8> {
    let data: Json = line.message.deserialize().unwrap_or_default();
    let params = json!({"level": line.level.name(), "data": data});
    rpc::notification("notifications/message", Some(&params))
}

/// The progress of one call.
struct Progress {
    token: Box<RawValue>,
    last: f64,
}

impl Progress {
    fn new(token: Box<str>) -> Option<Self> {
        Some(Self {
            token: RawValue::from_string(token.into()).ok()?,
            last: f64::NEG_INFINITY,
        })
    }

    /// The notification of an update. Numbers have to grow, so one that does not is not sent.
    fn write(&mut self, update: &Update) -> Option<Vec<u8>> {
        let (progress, total, message, item) = match update {
            Update::Progress(status) => {
                let progress = status.progress()?;
                let (done, total) = self.measure(progress);
                (done, total, progress.message(), None)
            }
            Update::Item(item) => {
                let (done, total) = self.place(item);
                (done, total, None, Some(item))
            }
            _ => return None,
        };
        if progress <= self.last {
            return None;
        }
        self.last = progress;
        let item = item.and_then(|item| item.deserialize::<Json>().ok());
        let params = Params {
            progress_token: &self.token,
            progress,
            total,
            message,
            meta: item.map(|item| json!({ITEM: item})),
        };
        Some(rpc::notification("notifications/progress", Some(&params)))
    }

    /// How much is done and how much there is: of steps, of a hundred, or unknown.
    #[expect(clippy::cast_precision_loss, reason = "nobody has so many steps")]
    fn measure(&self, progress: &types::Progress) -> (f64, Option<f64>) {
        match (progress.current_step(), progress.percent()) {
            (Some(done), _) => (
                done as f64,
                progress.total_steps().map(|total| total as f64),
            ),
            (None, Some(percent)) => (f64::from(percent), Some(100.0)),
            (None, None) => (self.next(), None),
        }
    }

    /// Which of its parts an item is, and of how many, which chunks say. No item is left out: one that is not
    /// in order is only counted.
    fn place(&self, item: &Value) -> (f64, Option<f64>) {
        let number = |key| Some(item.root().get(key)?.as_number()?.as_f64());
        match (number("sequence"), number("total_chunks")) {
            (Some(before), Some(total)) if before >= self.last && before < total => {
                (before + 1.0, Some(total))
            }
            _ => (self.next(), None),
        }
    }

    fn next(&self) -> f64 {
        self.last.max(0.0) + 1.0
    }
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    progress_token: &'a RawValue,
    progress: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Json>,
}
