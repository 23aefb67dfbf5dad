//! The calls that run on a server, and which of them it means when it asks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{ErrorData, ProgressNotificationParam, ProgressToken, RequestId};
use serde_json::Value as Json;
use tokio::sync::{mpsc, oneshot, watch};
use toolpact::elicitation::Question;

/// How many messages about one call may wait; progress beyond that is dropped.
const WAITING: usize = 16;

/// How much of the message of a progress is passed on: it is a line for people.
const MESSAGE_CHARS: usize = 4096;

/// How long a question waits until only one call is left that can have asked it.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });

#[derive(Default)]
pub(crate) struct Calls {
    running: Mutex<BTreeMap<u64, Running>>,
    last: AtomicU64,
    /// Changes when a call has begun or ended.
    changes: watch::Sender<u64>,
}

struct Running {
    /// Its request, once that is sent.
    request: Option<(RequestId, ProgressToken)>,
    /// The client that made it.
    client: Option<usize>,
    /// How many of its questions are not answered yet.
    open: usize,
    messages: mpsc::Sender<FromServer>,
}

/// What a server sends while a call runs.
pub(crate) enum FromServer {
    Progress(ProgressNotificationParam),
    Question(OpenQuestion),
}

/// A question that the server waits for.
pub(crate) struct OpenQuestion {
    pub(crate) what: Question,
    pub(crate) request: Json,
    pub(crate) answer: oneshot::Sender<Result<Json, ErrorData>>,
}

/// A call, and where messages about it go.
type Found = (u64, mpsc::Sender<FromServer>);

/// Counts a question of a call as open.
struct Open<'c> {
    calls: &'c Calls,
    number: u64,
}

/// A call that is known to run, for as long as this is held.
pub(crate) struct RegisteredCall {
    calls: Arc<Calls>,
    number: u64,
    pub(crate) messages: mpsc::Receiver<FromServer>,
}

impl Calls {
    /// Registers a call, before its request is sent: the server may be quick to ask.
    pub(crate) fn register(self: &Arc<Self>, client: Option<usize>) -> RegisteredCall {
        let (sender, messages) = mpsc::channel(WAITING);
        let number = self.last.fetch_add(1, Ordering::Relaxed);
        let call = Running {
            request: None,
            client,
            open: 0,
            messages: sender,
        };
        self.lock().insert(number, call);
        RegisteredCall {
            calls: Arc::clone(self),
            number,
            messages,
        }
    }

    /// A server that sends more than is read is not waited for, and what is kept of it is short.
    pub(crate) fn progress(&self, mut progress: ProgressNotificationParam) {
        progress.meta = None;
        if let Some(message) = &mut progress.message
            && let Some((end, _)) = message.char_indices().nth(MESSAGE_CHARS)
        {
            message.truncate(end);
            message.shrink_to_fit();
        }
        let running = self.lock();
        let is_meant = |call: &&Running| {
            let request = call.request.as_ref();
            request.is_some_and(|(_, token)| *token == progress.progress_token)
        };
        if let Some(call) = running.values().find(is_meant) {
            let _ = call.messages.try_send(FromServer::Progress(progress));
        }
    }

    /// Passes a question on to the call that it belongs to. `stream` is the request on whose stream it came.
    pub(crate) async fn ask(
        &self,
        stream: Option<&RequestId>,
        what: Question,
        request: Json,
    ) -> Result<Json, ErrorData> {
        let refused = |why: &str| {
            tracing::warn!(target: "toolpact::mcp", ?what, why, "a question is not passed on");
            ErrorData::invalid_request(format!("The question is not passed on: {why}."), None)
        };
        let Ok(call) = tokio::time::timeout(PATIENCE, self.asking(stream)).await else {
            return Err(refused(
                "calls of several clients run, and any of them may have asked",
            ));
        };
        let (number, call) = call.ok_or_else(|| refused("no call runs that it could belong to"))?;
        let _open = Open::new(self, number);
        let (answer, answered) = oneshot::channel();
        let question = OpenQuestion {
            what,
            request,
            answer,
        };
        let over = || refused("the call is over");
        let sent = call.send(FromServer::Question(question)).await;
        sent.map_err(|_| over())?;
        answered.await.map_err(|_| over())?
    }

    /// The call that asks. Over standard input and output nothing says which one it is: it is one of those
    /// that run now, and one that ends has not asked. One whose question is open has asked already. Where
    /// all are of one client, that one is asked.
    async fn asking(&self, stream: Option<&RequestId>) -> Option<Found> {
        let mut changes = self.changes.subscribe();
        let before: Vec<u64> = self.lock().keys().copied().collect();
        loop {
            changes.mark_unchanged();
            let mut possible = self.possible(&before, stream);
            possible.sort_by_key(|(open, ..)| *open);
            let (open, client, found) = possible.first()?;
            let is_clear = possible[1..].iter().all(|(other_open, other, _)| {
                *open == 0 && *other_open > 0 || client.is_some() && client == other
            });
            if is_clear {
                return Some(found.clone());
            }
            changes.changed().await.ok()?;
        }
    }

    /// Those that can have asked, with how many of their questions are open and the client.
    fn possible(
        &self,
        before: &[u64],
        stream: Option<&RequestId>,
    ) -> Vec<(usize, Option<usize>, Found)> {
        let running = self.lock();
        let calls = before
            .iter()
            .filter_map(|number| Some((number, running.get(number)?)));
        let calls = calls.filter(|(_, call)| match (&call.request, stream) {
            (Some((id, _)), Some(stream)) => id == stream,
            _ => true,
        });
        calls
            .map(|(number, call)| (call.open, call.client, (*number, call.messages.clone())))
            .collect()
    }

    fn changed(&self) {
        self.changes.send_modify(|times| *times += 1);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RegisteredCall {
    pub(crate) fn sent(&self, request: RequestId, token: ProgressToken) {
        if let Some(call) = self.calls.lock().get_mut(&self.number) {
            call.request = Some((request, token));
        }
        self.calls.changed();
    }
}

impl Drop for RegisteredCall {
    fn drop(&mut self) {
        self.calls.lock().remove(&self.number);
        self.calls.changed();
    }
}

impl<'c> Open<'c> {
    fn new(calls: &'c Calls, number: u64) -> Self {
        if let Some(call) = calls.lock().get_mut(&number) {
            call.open += 1;
        }
        calls.changed();
        Self { calls, number }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if let Some(call) = self.calls.lock().get_mut(&self.number) {
            call.open -= 1;
        }
        self.calls.changed();
    }
}

#[cfg(test)]
mod tests {
    use super::{Calls, FromServer, MESSAGE_CHARS, RegisteredCall, WAITING};
    use rmcp::model::{NumberOrString, ProgressNotificationParam, ProgressToken};
    use serde_json::json;
    use std::sync::Arc;
    use toolpact::elicitation::Question;

    /// Asks, and answers with the name of the call that is asked.
    async fn asked(calls: &Calls, one: &mut RegisteredCall, other: &mut RegisteredCall) -> String {
        let answers = async {
            let (message, name) = tokio::select! {
                Some(message) = one.messages.recv() => (message, "one"),
                Some(message) = other.messages.recv() => (message, "other"),
            };
            if let FromServer::Question(question) = message {
                let _ = question.answer.send(Ok(json!(name)));
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = answers => String::new(),
            answer = calls.ask(None, Question::Roots, json!({})) => match answer {
                Ok(answer) => answer.to_string(),
                Err(error) => error.message.into_owned(),
            },
        }
    }

    #[tokio::test]
    async fn a_question_in_doubt_is_refused() {
        let calls = Arc::new(Calls::default());
        let nobody = calls.ask(None, Question::Roots, json!({})).await;
        assert!(nobody.unwrap_err().message.contains("no call runs"));
        // Two of one client, then one of each of two clients.
        let (mut one, mut same) = (calls.register(Some(1)), calls.register(Some(1)));
        assert_eq!(asked(&calls, &mut one, &mut same).await, "\"one\"");
        drop(same);
        let mut other = calls.register(Some(2));
        let refused = asked(&calls, &mut one, &mut other).await;
        assert!(refused.contains("any of them may have asked"), "{refused}");
        // One whose question is open has asked already.
        let first = calls.lock().keys().next().copied().unwrap();
        let open = super::Open::new(&calls, first);
        assert_eq!(asked(&calls, &mut one, &mut other).await, "\"other\"");
        drop(open);
    }

    /// However much a server says about a call whose caller does not read, this is what is kept of it.
    #[tokio::test]
    async fn progress_that_nobody_reads_is_bounded() {
        let calls = Arc::new(Calls::default());
        let mut call = calls.register(None);
        let token = ProgressToken(NumberOrString::Number(7));
        call.sent(NumberOrString::Number(1), token.clone());
        for done in 0..1_000 {
            let mut progress = ProgressNotificationParam::new(token.clone(), f64::from(done));
            progress.message = Some("ü".repeat(100_000));
            calls.progress(progress);
        }
        let mut kept = Vec::new();
        while let Ok(FromServer::Progress(progress)) = call.messages.try_recv() {
            kept.push(progress.message.unwrap());
        }
        assert_eq!(kept.len(), WAITING);
        assert!(
            kept.iter()
                .all(|text| text.chars().count() == MESSAGE_CHARS)
        );
        assert!(kept.iter().all(|text| text.capacity() <= 4 * MESSAGE_CHARS));
    }
}
