//! `tools/call`.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, ErrorData, ProgressNotificationParam};
use rmcp::service::RequestContext;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::session::Running;
use toolpact::{Call, Completed, Session, ToolError};

use super::answer::Answer;
use super::arguments;
use super::calling::Calling;
use super::catalog::Listed;
use super::client::Seen;
use super::clients::KnownCall;
use super::progress::Progress;
use crate::View;
use crate::version;

/// How much of a call's progress may wait to be told.
const WAITING: usize = 256;

/// How long the last of it may take after the call has come to its end.
const PATIENCE: Duration = Duration::from_secs(1);

/// Makes a call. What the tool has to say is an answer, also that it failed; a request that no tool
/// could answer is an error.
pub(super) async fn run(
    seen: Seen,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    view: View,
) -> Result<Answer, ErrorData> {
    let place = version::place(context.protocol_version().as_ref());
    let args = match arguments::Sent::of(context) {
        Some(sent) => sent,
        None => arguments::value(request.arguments)?,
    };
    let Some(order) = Order::new(seen.clone(), place, &request.name, &args, view) else {
        return Err(unlisted(&seen.session, &request.name, args).await);
    };
    let call = order.call(context.id.to_string(), &context.ct);
    let completed = make(&order.seen.session, call, context).await;
    order.answer(&completed)
}

/// A call of a tool that the client was shown.
pub(crate) struct Order {
    seen: Seen,
    listed: Arc<Listed>,
    args: Value,
    view: View,
}

impl Order {
    /// `None` if the tool was not shown in the words of this version.
    pub(crate) fn new(
        seen: Seen,
        place: usize,
        name: &str,
        args: &Value,
        view: View,
    ) -> Option<Self> {
        let listed = Arc::clone(seen.catalog.listing(place).get(name)?);
        let args = listed.export.tools().first()?.read_args(args);
        Some(Self {
            seen,
            listed,
            args,
            view,
        })
    }

    /// Whether some of the arguments are to be found in the headers of a request, too.
    pub(crate) fn is_in_headers(&self) -> bool {
        self.listed.in_headers
    }

    fn call(&self, id: String, cancel: &CancellationToken) -> Call {
        Call::new(&*self.listed.tool.name, self.args.clone())
            .id(id)
            .cancelled_by(cancel)
    }

    fn answer(&self, completed: &Completed) -> Result<Answer, ErrorData> {
        match completed.error() {
            Some(error) if error.kind() == ErrorKind::UnknownTool => Err(unknown(error.message())),
            _ => Answer::of(completed, &self.listed, self.view),
        }
    }

    /// Begins the call, of which nothing is told but its end.
    pub(crate) fn begin(self, id: String, caller: Caller) -> Calling {
        let call = self.call(id, &caller.cancel);
        let (cancel, goes_on) = (caller.cancel, caller.known.is_some());
        let making = async move {
            let _known = caller.known;
            let completed = self.seen.session.call(call).await;
            self.answer(&completed)
        };
        Calling::new(making, cancel, goes_on)
    }
}

/// Who has to do with a call besides its tool.
pub(crate) struct Caller {
    pub(crate) cancel: CancellationToken,
    /// The session that knows of the call, and may cancel it. With one, a client may hang up.
    pub(crate) known: Option<KnownCall>,
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

/// Why a tool that was not shown cannot be called, even if it is there.
async fn unlisted(session: &Session, name: &str, args: Value) -> ErrorData {
    if session.get(name).is_some() {
        return unknown(&format!(
            "`{name}` cannot be called over this protocol: its contract has no form in it"
        ));
    }
    // The session knows what it could have been, and counts who asks for what is not there.
    let completed = session.call(Call::new(name, args)).await;
    let said = completed.error().map(ToolError::message);
    unknown(said.unwrap_or("There is no such tool."))
}
