//! The execution of a durable call that was claimed, and its outcome.

use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::time::Instant;
use toolpact::core::model::{ErrorObject, ToolName, ToolResult};
use toolpact::core::returns::Retry;
use toolpact::observe::trace::Incoming;
use toolpact::session::Update;
use toolpact::{Call, Completed, Principal, ToolError};

use super::take::Handled;
use crate::clock;
use crate::durable::{Operations, Outcome, StoredProgress};
use crate::headers::CallHeaders;
use crate::remote_tool::HEADROOM;
use crate::runtime::RuntimeShared;
use crate::runtime::serve::span;

/// How often progress is written at most.
const PROGRESS: Duration = Duration::from_secs(1);
/// Parts of a long result.
const PART: usize = 256 << 10;
/// When a call is tried again that surely did not begin: a limit of the tool was reached.
const TRY_AGAIN: Duration = Duration::from_millis(500);
/// How long it is tried to write an outcome, after the deadline of the call.
const WRITING: Duration = Duration::from_secs(60 * 60);

/// An attempt of a durable call.
pub(super) struct Execution<'a> {
    pub(super) shared: &'a RuntimeShared,
    pub(super) operations: &'a Operations,
    pub(super) tool: &'a str,
    pub(super) call: &'a CallHeaders,
    pub(super) host: Option<&'a str>,
    pub(super) attempt: u32,
}

/// One more or one less runs.
pub(super) fn count(shared: &RuntimeShared, by: isize) {
    shared
        .held
        .running
        .fetch_add(by.cast_unsigned(), Ordering::Relaxed);
}

impl Execution<'_> {
    /// Runs the tool, and writes what came of it.
    pub(super) async fn run(&self, call: Call, principal: Principal) -> Handled {
        let incoming = Incoming::new(span(self.tool), self.call.trace.clone());
        let work = self.completed(call, principal);
        let completed = match incoming.is_untraced() {
            true => work.await,
            false => incoming.around(work).await,
        };
        let error = completed.error().map(|error| error.to_standard().to_json());
        let text = completed.own_text().map(|text| text.into_owned().into());
        self.write(Bytes::from(completed.to_adm_json()), error, text)
            .await
    }

    /// Writes why the tool was not run, or that nobody knows what came of it.
    pub(super) async fn refuse(&self, error: &ToolError) -> Handled {
        let result = ToolName::new(self.tool).map(|name| ToolResult::Error {
            name,
            error: ErrorObject::from(error.as_standard()),
        });
        let body = result.map(|result| result.to_json()).unwrap_or_default();
        let error = error.as_standard().to_json();
        self.write(body.into(), Some(error), None).await
    }

    async fn completed(&self, call: Call, principal: Principal) -> Completed {
        let session = self.shared.session_of(&principal);
        let mut call = call.id(self.call.invocation.clone()).json_only();
        let deadline = clock::instant(self.call.deadline);
        if let Some(deadline) = deadline {
            call = call.deadline(deadline);
        }
        let mut last = None::<Instant>;
        loop {
            let mut stream = session.call_streaming(call.clone());
            while let Some(update) = stream.next().await {
                let is_due = last.is_none_or(|last| last.elapsed() >= PROGRESS);
                if let (Update::Progress(status), true) = (update, is_due) {
                    last = Some(Instant::now());
                    self.progress(serde_json::value::to_raw_value(&status.progress()))
                        .await;
                }
            }
            let completed = stream.finish().await;
            let not_begun = |error: &ToolError| error.kind().retry() == Retry::Yes;
            let again = deadline.is_some_and(|deadline| {
                std::time::Instant::now() + TRY_AGAIN < deadline && !self.shared.is_draining()
            });
            if !completed.error().is_some_and(not_begun) || !again {
                return completed;
            }
            tokio::time::sleep(TRY_AGAIN).await;
        }
    }

    async fn progress(&self, progress: Result<Box<RawValue>, serde_json::Error>) {
        let Ok(progress) = progress else { return };
        let stored = StoredProgress {
            at: clock::now(),
            progress,
        };
        if let Ok(bytes) = serde_json::to_vec(&stored) {
            let key = Operations::progress_key(&self.call.invocation);
            // The next one says more.
            let _ = self.operations.put(&key, bytes.into()).await;
            self.tell().await;
        }
    }

    /// Writes the outcome, however long that takes: what is not written is executed again, or not known.
    async fn write(&self, result: Bytes, error: Option<String>, text: Option<Box<str>>) -> Handled {
        let left = clock::instant(self.call.deadline);
        let left = left.map_or(Duration::ZERO, |deadline| {
            deadline.saturating_duration_since(std::time::Instant::now())
        });
        let until = Instant::now() + left + WRITING;
        let raw = |json: Vec<u8>| RawValue::from_string(String::from_utf8(json).ok()?).ok();
        let mut outcome = Outcome {
            runtime: self.shared.id.as_str().into(),
            attempt: self.attempt,
            at: clock::now(),
            result: None,
            parts: None,
            error: error.and_then(|error| RawValue::from_string(error).ok()),
            text: text.filter(|text| text.len() <= self.most() / 4),
        };
        if result.len() <= self.most() / 2 {
            outcome.result = raw(result.to_vec());
        } else {
            outcome.parts = self.write_parts(&result, until).await;
        }
        let key = Operations::outcome_key(&self.call.invocation);
        match self.operations.create(&key, &outcome, until).await {
            // That of another is as good.
            Ok(_) => {
                self.tell().await;
                Handled::Done
            }
            Err(error) => {
                tracing::error!(target: "toolpact::grid", %error, "the outcome of a durable call was not written");
                Handled::Again
            }
        }
    }

    async fn write_parts(&self, result: &Bytes, until: Instant) -> Option<u32> {
        let size = PART.min(self.most());
        let mut count = 0;
        for part in result.chunks(size) {
            count += 1;
            let key = Operations::part_key(&self.call.invocation, self.attempt, count);
            while let Err(error) = self
                .operations
                .put(&key, Bytes::copy_from_slice(part))
                .await
            {
                tracing::debug!(target: "toolpact::grid", %error, "a part of a result was not written");
                if Instant::now() >= until {
                    return None;
                }
                tokio::time::sleep(TRY_AGAIN).await;
            }
        }
        Some(count)
    }

    /// Tells the host that queued the call to look.
    async fn tell(&self) {
        if let Some(host) = self.host {
            let subject = self.shared.subjects.outcome(host, &self.call.invocation);
            // It looks for itself, too.
            let _ = self.shared.client.publish(subject, Bytes::new()).await;
        }
    }

    /// Most bytes of a message.
    fn most(&self) -> usize {
        let most = self.shared.client.max_payload();
        most.saturating_sub(HEADROOM).max(1024)
    }
}
