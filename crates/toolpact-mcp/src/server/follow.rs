//! What a client is told of a call before it is done.

use std::pin::pin;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ServerNotification};
use rmcp::service::{Peer, RequestContext};
use serde::Serialize;
use serde_json::{Value as Json, json};
use tokio::sync::mpsc;
use toolpact::session::{CallStream, LogLevel, LogLine, Update};
use toolpact::{Call, Completed, Session};

use super::progress::Progress;

/// How much may wait to be told.
const WAITING: usize = 256;

/// How long the last of it may take after the call has come to its end.
const PATIENCE: Duration = Duration::from_secs(1);

/// Makes a call, and tells the client of it what it wants to know.
pub(super) async fn make(
    session: &Session,
    call: Call,
    context: &RequestContext<RoleServer>,
    level: Option<LogLevel>,
) -> Completed {
    let progress = context.meta.get_progress_token().map(Progress::new);
    if progress.is_none() && level.is_none() {
        return session.call(call).await;
    }
    let (sender, mut receiver) = mpsc::channel(WAITING);
    let calling = listened(session.call_streaming(call), progress, level, sender);
    let telling = async {
        while let Some(told) = receiver.recv().await {
            told.send(&context.peer).await;
        }
    };
    // Whoever does not read what is told holds up neither the call nor its end.
    let (mut calling, mut telling) = (pin!(calling), pin!(telling));
    let completed = tokio::select! {
        completed = &mut calling => completed,
        () = &mut telling => return calling.await,
    };
    let _ = tokio::time::timeout(PATIENCE, telling).await;
    completed
}

/// Something to tell.
enum Told {
    Progress(ProgressNotificationParam),
    LogLine(LogLine),
}

impl Told {
    /// A client that is gone has cancelled the call already.
    async fn send(self, peer: &Peer<RoleServer>) {
        match self {
            Self::Progress(said) => drop(peer.notify_progress(said).await),
            Self::LogLine(line) => {
                if let Some(line) = written(&line) {
                    drop(peer.send_notification(line).await);
                }
            }
        }
    }
}

fn written(line: &LogLine) -> Option<ServerNotification> {
    let data: Json = line.message.deserialize().ok()?;
    let params = json!({"level": line.level.name(), "data": data});
    let line = json!({"method": "notifications/message", "params": params});
    serde_json::from_value(line).ok()
}

/// A level of the library's as one of ours: they have the same names.
pub(super) fn level(said: impl Serialize) -> Option<LogLevel> {
    let said = serde_json::to_value(said).ok()?;
    LogLevel::from_name(said.as_str()?)
}

/// Makes the call, and passes on what is told meanwhile. What is too much is not told.
async fn listened(
    mut running: CallStream,
    mut progress: Option<Progress>,
    level: Option<LogLevel>,
    sender: mpsc::Sender<Told>,
) -> Completed {
    while let Some(update) = running.next().await {
        let told = match update {
            Update::Log(line) => {
                let is_wanted = level.is_some_and(|level| line.level >= level);
                is_wanted.then_some(Told::LogLine(line))
            }
            update => {
                let said = progress.as_mut().and_then(|p| p.of(&update));
                said.map(Told::Progress)
            }
        };
        if let Some(told) = told {
            let _ = sender.try_send(told);
        }
    }
    running.finish().await
}
