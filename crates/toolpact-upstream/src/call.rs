//! A call of a tool on another server.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientRequest, ErrorData,
    InputRequiredResult, ProgressNotificationParam, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError};
use serde_json::Value as Json;
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::define::UntypedOutput;
use toolpact::elicitation::{Question, answer_pending};
use toolpact::returns::Progress;
use toolpact::{Context, ToolError};
use tracing::Instrument as _;

use crate::UpstreamError;
use crate::calls::{FromServer, OpenQuestion, RegisteredCall};
use crate::client::kind_of_question;
use crate::link::{Connection, Link};
use crate::parked::random_name;
use crate::result;
use crate::tools::Remote;
use crate::trace;

/// Most times that a server of 2026-07-28 asks within one call.
const ROUNDS: usize = 10;

/// A call that the server works on.
pub(crate) struct RunningCall {
    connection: Arc<Connection>,
    handle: RequestHandle<RoleClient>,
    registered: RegisteredCall,
    /// What the server waits for, by the names under which it is passed on.
    pub(crate) open: HashMap<Box<str>, OpenQuestion>,
    /// Why a question was not answered.
    unanswered: Option<ToolError>,
}

/// Calls the tool. Progress, questions and cancellation are passed on.
pub(crate) async fn run(
    link: &Arc<Link>,
    tool: &Remote,
    args: &Value,
    context: &Context,
) -> Result<UntypedOutput, ToolError> {
    let span = trace::span(link.place(), &tool.name);
    let calling = call(link, tool, args, context);
    let result = calling.instrument(span.clone()).await;
    trace::end(&span, &result);
    result
}

async fn call(
    link: &Arc<Link>,
    tool: &Remote,
    args: &Value,
    context: &Context,
) -> Result<UntypedOutput, ToolError> {
    let mut params = CallToolRequestParams::new(tool.name.to_string());
    params.arguments = Some(args.deserialize()?);
    let parked = link.parked.take(&tool.name, args, context);
    let mut call = match parked {
        Some(call) => call,
        None => RunningCall::start(link, params.clone(), context).await?,
    };
    for round in 1..=ROUNDS {
        let Some(answer) = call.wait(context).await? else {
            // The server goes on waiting until the client calls again with the answer.
            link.park(&tool.name, args, context.principal().clone(), call);
            return Err(answer_pending());
        };
        let refused = |error| UpstreamError::of_service(link.place(), error).into_tool_error();
        let answer = match answer.map_err(refused) {
            Ok(ServerResult::InputRequiredResult(asked)) => {
                params.input_responses = Some(answers(&asked, round, context).await?);
                params.request_state = asked.request_state;
                call = RunningCall::start(link, params.clone(), context).await?;
                continue;
            }
            Ok(answer) => result::read(&answer, tool, &call.connection.version()),
            Err(error) => Err(error),
        };
        return answer.map_err(|error| match call.unanswered {
            // What the server says of it may be anything.
            Some(why) => why.with_detail("server_said", error.message()),
            None => error,
        });
    }
    let message = format!("The server behind this tool asked more than {ROUNDS} times.");
    Err(ToolError::new(ErrorKind::DependencyFailed, message))
}

/// The answers to what a server of 2026-07-28 asks. It is asked again in the next run, if they are pending.
async fn answers(
    asked: &InputRequiredResult,
    round: usize,
    context: &Context,
) -> Result<BTreeMap<String, Json>, ToolError> {
    let requests = asked.input_requests.iter().flatten();
    let answers = requests.map(async |(key, request)| {
        let request = serde_json::to_value(request)?;
        let what = kind_of_question(&request).unwrap_or(Question::User);
        let name = format!("{key}#{round}");
        let answer = ask(context, &name, what, &request).await?;
        Ok((key.clone(), answer))
    });
    // All are asked before the first that is pending ends the call.
    let answers = futures_util::future::join_all(answers).await;
    answers.into_iter().collect()
}

async fn ask(
    context: &Context,
    name: &str,
    what: Question,
    request: &Json,
) -> Result<Json, ToolError> {
    let request = Value::from_json(request.to_string())?;
    let answer = context.ask_raw(name, what, &request).await?;
    Ok(answer.deserialize()?)
}

impl RunningCall {
    async fn start(
        link: &Arc<Link>,
        params: CallToolRequestParams,
        context: &Context,
    ) -> Result<Self, ToolError> {
        let registered = link.received.0.calls.register(context.client());
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = link.send(request, PeerRequestOptions::no_options()).await;
        let (connection, handle) = sent.map_err(UpstreamError::into_tool_error)?;
        registered.sent(handle.id.clone(), handle.progress_token.clone());
        Ok(Self {
            connection,
            handle,
            registered,
            open: HashMap::new(),
            unanswered: None,
        })
    }

    /// Waits for the answer, or until nobody waits for the call. `None` if an answer to a question is
    /// pending.
    async fn wait(
        &mut self,
        context: &Context,
    ) -> Result<Option<Result<ServerResult, ServiceError>>, ToolError> {
        let mut asking = FuturesUnordered::new();
        let forward = async |name: Box<str>, what, request: Json| {
            let answer = ask(context, &name, what, &request).await;
            (name, answer)
        };
        for (name, question) in &self.open {
            asking.push(forward(
                name.clone(),
                question.what,
                question.request.clone(),
            ));
        }
        loop {
            tokio::select! {
                biased;
                answer = &mut self.handle.rx => {
                    return Ok(Some(answer.unwrap_or(Err(ServiceError::TransportClosed))));
                }
                Some((name, answer)) = asking.next() => {
                    if answer.as_ref().is_err_and(ToolError::is_answer_pending) {
                        return Ok(None);
                    }
                    if let Some(question) = self.open.remove(&name) {
                        // The server may have stopped waiting.
                        let _ = question.answer.send(answer.map_err(|why| {
                            let error = ErrorData::invalid_request(why.message().to_owned(), None);
                            self.unanswered = Some(why);
                            error
                        }));
                    }
                }
                Some(message) = self.registered.messages.recv() => match message {
                    FromServer::Progress(progress) => if let Some(progress) = read(&progress) {
                        context.progress(progress).await;
                    },
                    FromServer::Question(question) => {
                        let name = random_name();
                        asking.push(forward(name.clone(), question.what, question.request.clone()));
                        self.open.insert(name, question);
                    }
                },
                () = context.cancelled() => {
                    self.cancel().await;
                    return Err(ToolError::new(ErrorKind::Cancelled, ""));
                }
            }
        }
    }

    /// Tells the server that nobody waits for the result.
    pub(crate) async fn cancel(&mut self) {
        let cancelled = CancelledNotificationParam::new(
            Some(self.handle.id.clone()),
            Some("nobody waits for the result".to_owned()),
        );
        // If the server is gone, there is nobody to tell.
        let _ = self.handle.peer.notify_cancelled(cancelled).await;
    }
}

/// Progress as our tools report it, as far as it can be.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "only whole numbers that fit come here"
)]
fn read(progress: &ProgressNotificationParam) -> Option<Progress> {
    let whole = |n: f64| ((0.0..1e15).contains(&n) && n.fract() == 0.0).then_some(n as u64);
    let steps = whole(progress.progress).zip(progress.total.and_then(whole));
    let mut read = Progress::default();
    if let Some((done, total)) = steps {
        read = read.with_steps(done, total).ok()?;
    }
    Some(match &progress.message {
        Some(message) => read.with_message(message),
        None => read,
    })
}
