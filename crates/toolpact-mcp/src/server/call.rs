//! `tools/call`.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, ErrorData, InputResponses};
use rmcp::service::RequestContext;
use tokio_util::sync::CancellationToken;
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::session::LogLevel;
use toolpact::{Call, Completed, Session, ToolError};

use super::answer::Answer;
use super::asking::{Asking, Bound, Can, Round};
use super::calling::Calling;
use super::catalog::Listed;
use super::client::Seen;
use super::clients::{Clients, KnownCall};
use super::reply::Reply;
use super::shared::Shared;
use super::{arguments, follow};
use crate::View;
use crate::version::{self, VERSIONS};

/// Makes a call. What the tool has to say is an answer, also that it failed; a request that no tool
/// could answer is an error.
pub(super) async fn run(
    shared: &Shared,
    seen: Seen,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    wishes: Wishes,
) -> Result<Reply, ErrorData> {
    let place = version::place(context.protocol_version().as_ref());
    let args = match arguments::Sent::of(context) {
        Some(sent) => sent,
        None => arguments::value(request.arguments)?,
    };
    let Some(order) = Order::new(seen.clone(), place, &request.name, &args, wishes.view) else {
        return Err(unlisted(&seen.session, &request.name, args).await);
    };
    let state = request.request_state.as_deref();
    let asking = asking(shared, &order, request.input_responses, state, context)?;
    asking.reach(context);
    let call = order.call(context.id.to_string(), &context.ct, &asking);
    let completed = follow::make(&order.seen.session, call, context, wishes.level).await;
    order.reply(&completed, &asking)
}

/// How the client of a request is asked. One that has no session and speaks as if it had one cannot
/// answer.
fn asking(
    shared: &Shared,
    order: &Order,
    answers: Option<InputResponses>,
    state: Option<&str>,
    context: &RequestContext<RoleServer>,
) -> Result<Arc<Asking>, ErrorData> {
    let version = context.protocol_version().unwrap_or(VERSIONS[0].clone());
    let can = context
        .client_capabilities()
        .map(|said| Can::of(&said, &version));
    let can = can.unwrap_or_default();
    if !version.has_initialize() {
        let round = order.round(shared, answers, state)?;
        return Ok(Asking::in_rounds(can, round));
    }
    let parts = context.extensions.get::<http::request::Parts>();
    let is_reached = parts.is_none_or(|parts| parts.headers.contains_key(Clients::HEADER));
    Ok(Asking::in_session(match is_reached {
        true => can,
        false => Can::default(),
    }))
}

/// What a client wants to know of a call.
pub(super) struct Wishes {
    pub(super) view: View,
    /// Lines of the log from here on, if any.
    pub(super) level: Option<LogLevel>,
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

    /// What a client without a session brings to the call.
    pub(crate) fn round(
        &self,
        shared: &Shared,
        answers: Option<InputResponses>,
        state: Option<&str>,
    ) -> Result<Round, ErrorData> {
        let call = Bound::new(&self.listed.tool.name, &self.args);
        Round::new(&shared.seal, call, answers, state)
    }

    fn call(&self, id: String, cancel: &CancellationToken, asking: &Arc<Asking>) -> Call {
        Call::new(&*self.listed.tool.name, self.args.clone())
            .json_only()
            .id(id)
            .cancelled_by(cancel)
            .answered_by(Arc::clone(asking))
    }

    fn reply(&self, completed: &Completed, asking: &Asking) -> Result<Reply, ErrorData> {
        let error = completed.error();
        let asked = error.filter(|error| error.is_answer_pending());
        if let Some(asked) = asked.and_then(|_| asking.asked()) {
            return asked;
        }
        match error {
            Some(error) if error.kind() == ErrorKind::UnknownTool => Err(unknown(error.message())),
            _ => Answer::of(completed, &self.listed, self.view).map(Reply::Complete),
        }
    }

    /// Begins the call, of which nothing is told but its end.
    pub(crate) fn begin(self, id: String, caller: Caller) -> Calling {
        let call = self.call(id, &caller.cancel, &caller.asking);
        let goes_on = caller.known.is_some();
        let Caller {
            cancel,
            known,
            asking,
        } = caller;
        let asked = Arc::clone(&asking);
        let making = async move {
            let _known = known;
            let completed = self.seen.session.call(call).await;
            self.reply(&completed, &asked)
        };
        Calling::new(making, cancel, asking, goes_on)
    }
}

/// Who has to do with a call besides its tool.
pub(crate) struct Caller {
    pub(crate) cancel: CancellationToken,
    /// The session that knows of the call, and may cancel it. With one, a client may hang up.
    pub(crate) known: Option<KnownCall>,
    pub(crate) asking: Arc<Asking>,
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
