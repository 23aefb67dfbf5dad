//! `tools/call`: one request for every way in.

use std::sync::Arc;

use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolpact::core::json::{Kind, Node, Value};
use toolpact::core::memory::MemoryShare;
use toolpact::core::returns::ErrorKind;
use toolpact::session::ClientInfo;
use toolpact::{Call, Completed, Session, ToolError};
use toolpact_http::SPENT;
use tracing::Span;

use super::caller::Caller;
use super::calls::{RunningCall, RunningCalls};
use super::catalog::Listed;
use super::client::ToolSnapshot;
use super::dispatch::{Answer, Origin};
use super::elicitation::{Bound, Capabilities, Questions, Round};
use super::updates::Updates;
use super::{Shared, result, trace};
use crate::View;
use crate::rpc::{Id, Message, Response, RpcError};
use crate::version::Version;

/// A call of a tool that the client was shown.
pub(crate) struct CallRequest {
    id: Id,
    client: Option<ClientInfo>,
    snapshot: ToolSnapshot,
    tool: Arc<Listed>,
    args: Value,
    view: View,
    version: Version,
    /// What the client wants to hear before the result.
    updates: Option<Updates>,
    questions: Arc<Questions>,
    cancel: CancellationToken,
    /// Why it is denied whatever its guard says.
    refused: Option<Box<str>>,
    running: Option<RunningCall>,
    _memory: MemoryShare,
}

/// Reads a call and starts it.
pub(super) fn start(
    shared: &Shared,
    id: Id,
    message: &Message,
    caller: &Caller<'_>,
    origin: Origin,
    span: &Span,
) -> Result<Answer, RpcError> {
    let memory = shared.budget.take(message.memory());
    let memory = memory.ok_or_else(|| RpcError::overloaded(SPENT))?;
    let (name, args) = read(message, caller.version)?;
    let view = caller.view(origin.view.as_deref(), shared)?;
    shared.check_needs(&name, caller.declared)?;
    let snapshot = match &origin.client {
        Some(client) => client.snapshot(&origin.principal),
        None => ToolSnapshot::of(
            shared
                .catalog(&origin.principal)
                .map_err(|_| unavailable())?,
        ),
    };
    let Some(tool) = snapshot.catalog.listing(caller.version).get(&name).cloned() else {
        return Ok(Answer::pending(async move {
            let error = unlisted(&snapshot.session, &name, args).await;
            Some(Response::error(Some(&id), &error))
        }));
    };
    let args = match tool.export.tools().first() {
        Some(exported) => exported.read_args(&args),
        None => args,
    };
    trace::calls(span, &tool.name);
    let questions = questions(shared, message, caller, &origin, &tool.name, &args)?;
    let running = origin.client.as_ref();
    let running = running.map(|client| RunningCalls::begin(client, &id, &origin.cancel));
    let updates = Updates::wanted(caller.progress_token(), caller.level, origin.outbox);
    let request = CallRequest {
        id,
        client: caller.info(),
        snapshot,
        tool,
        args,
        view,
        version: caller.version,
        updates,
        questions,
        cancel: origin.cancel,
        refused: origin.refused,
        running,
        _memory: memory,
    };
    Ok(Answer::pending(request.run()))
}

impl CallRequest {
    /// There is no answer if the client has cancelled the call.
    async fn run(mut self) -> Option<Response> {
        let call = Call::new(&*self.tool.name, self.args.clone())
            .id(self.id.text())
            .json_only()
            .cancelled_by(&self.cancel)
            .answered_by(Arc::clone(&self.questions));
        let call = match self.refused.take() {
            Some(reason) => call.refused(reason),
            None => call,
        };
        let session = self.snapshot.session.used_by(self.client.take());
        let completed = match &mut self.updates {
            None => session.call(call).await,
            Some(updates) => updates.follow(session.call_streaming(call)).await,
        };
        let is_cancelled = self.running.as_ref().is_some_and(RunningCall::is_cancelled);
        (!is_cancelled).then(|| self.respond(&completed))
    }

    fn respond(&self, completed: &Completed) -> Response {
        let error = completed.error();
        let asked = error.filter(|error| error.is_answer_pending());
        if let Some(asked) = asked.and_then(|_| self.questions.asked()) {
            return match asked {
                Ok(asked) => Response::of(&self.id, &asked),
                Err(error) => Response::error(Some(&self.id), &error),
            };
        }
        if let Some(error) = error.filter(|error| error.kind() == ErrorKind::UnknownTool) {
            let error = RpcError::invalid_params(error.message());
            return Response::error(Some(&self.id), &error);
        }
        if error.is_some() {
            trace::tool_failed();
        }
        let says_type = !self.version.has_sessions();
        match result::CallResult::of(completed, &self.tool, self.view) {
            Some(result) => Response {
                memory: completed.memory(),
                is_denied: error.is_some_and(|error| error.kind() == ErrorKind::NotAllowed),
                ..Response::result(&self.id, |json| result.write(json, says_type))
            },
            None => {
                let error = RpcError::internal("The result could not be written.");
                Response::error(Some(&self.id), &error)
            }
        }
    }
}

/// The name and the arguments.
fn read(message: &Message, version: Version) -> Result<(Box<str>, Value), RpcError> {
    let malformed = || {
        let more = match version.has_sessions() {
            true => "",
            false => {
                ", and with the object `inputResponses` and the text `requestState` if it was asked \
                 something"
            }
        };
        let expected = "an object with the text `name` and the object `arguments`";
        RpcError::invalid_params(format!(
            "expected the `params` of `tools/call` to be {expected}{more}"
        ))
    };
    let name = message.text_param("name").ok_or_else(malformed)?.into();
    let args = match message.param("arguments") {
        Some(args) if args.kind() == Kind::Object => args.to_value(),
        Some(_) => return Err(malformed()),
        None => Value::from_json("{}").map_err(|_| malformed())?,
    };
    let is = |key, kind| message.param(key).is_none_or(|node| node.kind() == kind);
    let is_well_formed = version.has_sessions()
        || is("inputResponses", Kind::Object) && is("requestState", Kind::String);
    match is_well_formed {
        true => Ok((name, args)),
        false => Err(malformed()),
    }
}

/// How the client is asked: while the tool waits if it has a session, else in rounds. One that has no
/// session and speaks as if it had one cannot be asked.
fn questions(
    shared: &Shared,
    message: &Message,
    caller: &Caller<'_>,
    origin: &Origin,
    tool: &str,
    args: &Value,
) -> Result<Arc<Questions>, RpcError> {
    if !caller.version.has_sessions() {
        let answers = message.param("inputResponses");
        let answers = answers.and_then(|answers| serde_json::from_str(answers.text()).ok());
        let state = message.param("requestState").and_then(Node::as_str);
        let round = Round::new(
            &shared.seal,
            Bound::new(tool, args, &origin.principal),
            answers.unwrap_or_default(),
            state.as_deref(),
        )?;
        return Ok(Questions::in_rounds(caller.capabilities, round));
    }
    Ok(match &origin.client {
        Some(client) => Questions::in_session(
            caller.capabilities,
            Arc::downgrade(client),
            Arc::clone(&origin.outbox),
        ),
        None => Questions::none(Capabilities::default()),
    })
}

fn unavailable() -> RpcError {
    RpcError::internal("The tools are not available.")
}

/// Why a tool that was not shown cannot be called, even if it exists.
async fn unlisted(session: &Session, name: &str, args: Value) -> RpcError {
    if session.get(name).is_some() {
        return RpcError::invalid_params(format!(
            "`{name}` cannot be called over this protocol: its contract has no form in it"
        ));
    }
    // The session suggests a name, and counts calls of tools that do not exist.
    let completed = session.call(Call::new(name, args)).await;
    let error = completed.error();
    let message = error.map(ToolError::message);
    let refused = RpcError::invalid_params(message.unwrap_or("There is no such tool."));
    match error.filter(|error| error.kind() == ErrorKind::Quarantined) {
        Some(error) => RpcError {
            data: Some(json!({"code": error.code(), "tool": name})),
            ..refused
        },
        None => refused,
    }
}
