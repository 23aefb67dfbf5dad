//! `tools/call`.

use std::pin::pin;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResult, ErrorData, ProgressNotificationParam};
use rmcp::service::RequestContext;
use tokio::sync::mpsc;
use toolpact::core::returns::ErrorKind;
use toolpact::session::Running;
use toolpact::{Call, Completed, Session};

use super::handler::Seen;
use super::progress::Progress;
use super::{answer, arguments};
use crate::View;
use crate::version;

/// How much of a call's progress may wait to be told.
const WAITING: usize = 256;

/// How long the last of it may take after the call has come to its end.
const PATIENCE: Duration = Duration::from_secs(1);

/// Makes a call. What the tool has to say is a result, also that it failed; a request that no tool
/// could answer is an error.
pub(super) async fn run(
    seen: &Seen,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    view: View,
) -> Result<CallToolResult, ErrorData> {
    let place = version::place(context.protocol_version().as_ref());
    let listed = seen.catalog.listing(place).get(&request.name);
    let args = match arguments::Sent::of(context) {
        Some(sent) => sent,
        None => arguments::value(request.arguments)?,
    };
    let args = match listed.and_then(|listed| listed.export.tools().first()) {
        Some(tool) => tool.read_args(&args),
        // A tool that was not listed cannot be called, even if it is there.
        None if seen.session.get(&request.name).is_some() => return Err(unlisted(&request.name)),
        None => args,
    };
    let call = Call::new(&*request.name, args)
        .id(context.id.to_string())
        .cancelled_by(&context.ct);
    let completed = make(&seen.session, call, context).await;
    match (listed, completed.error()) {
        (Some(listed), error) if error.is_none_or(|e| e.kind() != ErrorKind::UnknownTool) => {
            answer::of(&completed, listed, view)
        }
        (_, error) => Err(unknown(
            error.map_or("There is no such tool.", |e| e.message()),
        )),
    }
}

async fn make(session: &Session, call: Call, context: &RequestContext<RoleServer>) -> Completed {
    let Some(token) = context.meta.get_progress_token() else {
        return session.call(call).await;
    };
    let (sender, mut receiver) = mpsc::channel(WAITING);
    let calling = listened(session.call_listening(call), Progress::new(token), sender);
    let telling = async {
        while let Some(said) = receiver.recv().await {
            // A client that is gone has cancelled the call already.
            let _ = context.peer.notify_progress(said).await;
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

/// Makes the call, and passes on what is told meanwhile. What is too much is not told.
async fn listened(
    mut running: Running,
    mut progress: Progress,
    sender: mpsc::Sender<ProgressNotificationParam>,
) -> Completed {
    while let Some(update) = running.next().await {
        if let Some(said) = progress.of(&update) {
            let _ = sender.try_send(said);
        }
    }
    running.finish().await
}

fn unknown(message: &str) -> ErrorData {
    ErrorData::invalid_params(message.to_owned(), None)
}

fn unlisted(name: &str) -> ErrorData {
    let message =
        format!("`{name}` cannot be called over this protocol: its contract has no form in it");
    ErrorData::invalid_params(message, None)
}
