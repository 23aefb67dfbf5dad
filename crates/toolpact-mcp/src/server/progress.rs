//! What a tool says before it is done, as notifications.

use rmcp::model::{NotificationMetaObject, ProgressNotificationParam, ProgressToken};
use toolpact::returns;
use toolpact::session::Update;

/// Where an event or a chunk is told.
const ITEM: &str = "toolpact/item";

/// The progress of one call.
pub(super) struct Progress {
    token: ProgressToken,
    last: f64,
}

impl Progress {
    pub(super) fn new(token: ProgressToken) -> Self {
        Self {
            token,
            last: f64::NEG_INFINITY,
        }
    }

    /// What is told of an update. Numbers have to grow, so one that does not is not told.
    pub(super) fn of(&mut self, update: &Update) -> Option<ProgressNotificationParam> {
        let (progress, total, message, item) = match update {
            Update::Progress(status) => {
                let progress = status.progress()?;
                let (done, total) = self.measure(progress);
                (done, total, progress.message(), None)
            }
            Update::Item(item) => (self.next(), None, None, Some(item)),
            _ => return None,
        };
        if progress <= self.last {
            return None;
        }
        self.last = progress;
        let mut said = ProgressNotificationParam::new(self.token.clone(), progress);
        said.total = total;
        said.message = message.map(str::to_owned);
        if let Some(item) = item.and_then(|item| item.deserialize().ok()) {
            let mut meta = NotificationMetaObject::default();
            meta.insert(ITEM.to_owned(), item);
            said.meta = Some(meta);
        }
        Some(said)
    }

    /// How much is done and how much there is: of steps, of a hundred, or unknown.
    #[expect(clippy::cast_precision_loss, reason = "nobody has so many steps")]
    fn measure(&self, progress: &returns::Progress) -> (f64, Option<f64>) {
        match (progress.current_step(), progress.percent()) {
            (Some(done), _) => (
                done as f64,
                progress.total_steps().map(|total| total as f64),
            ),
            (None, Some(percent)) => (f64::from(percent), Some(100.0)),
            (None, None) => (self.next(), None),
        }
    }

    fn next(&self) -> f64 {
        self.last.max(0.0) + 1.0
    }
}
