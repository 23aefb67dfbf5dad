//! Calls.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use axum::body::HttpBody as _;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::Deserialize;
use toolpact::core::json::Value;
use toolpact::{Call, Completed, Session, ToolError};

use super::body::{AnyJson, Args, Checked, Segment, present, request_body};
use super::reply::{
    AnyReply, Failure, RETRY_AFTER_MS, held, json_response, tell_when_to_retry, typed_response,
};
use super::sender::Sender;
use super::{App, oauth, raw, stream};
use crate::view::{self, View};

/// A call, and the form of its answer.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CallRequest {
    /// The tool to call.
    name: String,
    /// The arguments: an object.
    #[serde(default, deserialize_with = "present")]
    args: Option<AnyJson>,
    /// Names the call in the log, and in a stream that is resumed.
    id: Option<String>,
    /// The session that the call belongs to.
    session: Option<String>,
    timeout_ms: Option<NonZeroU64>,
    view: Option<View>,
    /// Whether arguments that are nearly right are fixed.
    repair: Option<bool>,
}

request_body!(CallRequest);

/// A call of a batch, which has one session for all.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BatchCall {
    /// The tool to call.
    name: String,
    /// The arguments: an object.
    #[serde(default, deserialize_with = "present")]
    args: Option<AnyJson>,
    /// Names the call in the log.
    id: Option<String>,
    timeout_ms: Option<NonZeroU64>,
    view: Option<View>,
    /// Whether arguments that are nearly right are fixed.
    repair: Option<bool>,
}

/// A call that can be made.
pub(crate) struct PreparedCall {
    pub(crate) call: Call,
    pub(crate) session: Session,
    pub(crate) view: View,
    /// Whether the session outlives the call, so that a truncated result can be read later.
    pub(crate) kept: bool,
}

/// The header of every answer to a call that was made. What the server refuses has none.
pub(crate) const OUTCOME: HeaderName = HeaderName::from_static("toolpact-outcome");

/// The header of an answer that is not the tool's own: what answered in place of it.
pub(crate) const STAND_IN: HeaderName = HeaderName::from_static("toolpact-stand-in");

/// `POST /v1/call`
pub(super) async fn call(
    State(app): State<Arc<App>>,
    sender: Sender,
    headers: HeaderMap,
    request: Checked<CallRequest>,
) -> Result<AnyReply, Failure> {
    let name = request.body.name.clone();
    let prepared = request.body.prepare(&app, &sender)?;
    let (view, kept) = (prepared.view, prepared.kept);
    if let Some(refusal) = oauth::refusal(app.resource.as_ref(), &prepared.session, &name) {
        let failed = |completed: &Completed| answer(&app, completed, view, kept);
        let refused = oauth::refuse(&refusal, &prepared.session, prepared.call, failed);
        return Ok(AnyReply(refused.await));
    }
    if wants_events(&headers) {
        return stream::answer(&app, &headers, &request.json, prepared).map(AnyReply);
    }
    let completed = prepared.session.call(prepared.call).await;
    Ok(AnyReply(answer(&app, &completed, view, kept)))
}

/// `POST /v1/tools/{name}`: the arguments in, the result out, as the OpenAPI document has it.
pub(super) async fn tool(
    State(app): State<Arc<App>>,
    sender: Sender,
    Segment(name): Segment,
    headers: HeaderMap,
    Args(args): Args,
) -> Response {
    let session = app.tools(&sender.principal).used_by(sender.client);
    let refusal = oauth::refusal(app.resource.as_ref(), &session, &name);
    let call = Call::new(name, args).json_only();
    if let Some(refusal) = refusal {
        let failed = |completed: &Completed| answer(&app, completed, View::Json, false);
        return oauth::refuse(&refusal, &session, call, failed).await;
    }
    let completed = session.call(call).await;
    match raw::response(&completed, &headers) {
        Some(response) => with_outcome(&app, response, &completed),
        None => answer(&app, &completed, View::Json, false),
    }
}

impl CallRequest {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn prepare(self, app: &App, sender: &Sender) -> Result<PreparedCall, Failure> {
        let (session, kept) = app.session(self.session.as_deref(), sender)?;
        let call = BatchCall {
            name: self.name,
            args: self.args,
            id: self.id,
            timeout_ms: self.timeout_ms,
            view: self.view,
            repair: self.repair,
        };
        let (call, view) = call.prepare()?;
        Ok(PreparedCall {
            call,
            session,
            view,
            kept,
        })
    }
}

impl BatchCall {
    pub(super) fn prepare(self) -> Result<(Call, View), Failure> {
        let args = self.args.as_ref().map_or("{}", AnyJson::text);
        let args = Value::from_json(args).map_err(|wrong| Failure::of_violations(&wrong))?;
        let mut call = Call::new(self.name, args).json_only();
        if let Some(id) = self.id {
            call = call.id(id);
        }
        if let Some(ms) = self.timeout_ms {
            call = call.timeout(Duration::from_millis(ms.get()));
        }
        if let Some(repair) = self.repair {
            call = call.repair(repair);
        }
        Ok((call, self.view.unwrap_or(View::Json)))
    }
}

fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/event-stream"))
}

/// The result of a call in the form that was asked for. The status says whether it worked.
pub(super) fn answer(app: &App, completed: &Completed, view: View, kept: bool) -> Response {
    with_outcome(app, body_of(completed, view, kept), completed)
}

/// The answer with what came of the call, and with its part of the memory for results until it is sent: that of the
/// result, and of what is written beside it, such as the arguments in a record.
fn with_outcome(app: &App, mut response: Response, completed: &Completed) -> Response {
    let result = completed.memory();
    let length = response.body().size_hint().exact();
    let length = length.and_then(|length| usize::try_from(length).ok());
    let more = length
        .unwrap_or(0)
        .saturating_sub(result.as_ref().map_or(0, |share| share.bytes()));
    let Some(more) = app.memory.results.take(more) else {
        return Failure::of_error(&ToolError::no_memory().to_standard()).into_response();
    };
    let outcome = match completed.outcome() {
        Ok(outcome) => outcome.as_str(),
        Err(error) => error.kind().code(),
    };
    let outcome = HeaderValue::from_static(outcome);
    response.headers_mut().insert(OUTCOME, outcome);
    if let Some(stand_in) = completed.stand_in().map(HeaderValue::from_str)
        && let Ok(stand_in) = stand_in
    {
        response.headers_mut().insert(STAND_IN, stand_in);
    }
    let error = completed.error().map(toolpact::ToolError::to_standard);
    let retry = error
        .as_ref()
        .and_then(|error| error.detail(RETRY_AFTER_MS));
    let retry = retry.and_then(|ms| ms.text().parse().ok());
    tell_when_to_retry(&mut response, retry);
    held(response, result.into_iter().chain([Arc::new(more)]))
}

fn body_of(completed: &Completed, view: View, kept: bool) -> Response {
    let status = status(completed);
    match view {
        View::Text => typed_response(
            status,
            "text/plain; charset=utf-8",
            view::text(completed, kept),
        ),
        View::Json => match (completed.error(), completed.to_json()) {
            (Some(error), _) => Failure::of_error(&error.to_standard()).into_response(),
            (None, Some(json)) => json_response(status, json),
            (None, None) => json_response(status, "null"),
        },
        view => json_response(status, view::written(completed, view, kept)),
    }
}

fn status(completed: &Completed) -> StatusCode {
    match completed.error() {
        None => StatusCode::OK,
        Some(error) => StatusCode::from_u16(error.kind().http_status())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
