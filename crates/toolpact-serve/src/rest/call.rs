//! Calls.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use toolpact::core::json::{Kind, Node, Value, Whole};
use toolpact::{Call, Completed, Session};

use super::body::Sent;
use super::reply::{Failure, json_response, typed_response};
use super::{App, body, raw, stream};
use crate::view::{self, View};

/// A call that was asked for, and the form its answer should have.
pub(crate) struct Asked {
    pub(crate) call: Call,
    pub(crate) session: Session,
    pub(crate) view: View,
    /// Whether the session outlives the call, so that what was cut can be read later.
    pub(crate) kept: bool,
}

/// The header of every answer to a call that was made. What the server refuses has none.
pub(crate) const OUTCOME: HeaderName = HeaderName::from_static("toolpact-outcome");

const FIELDS: [&str; 7] = [
    "name",
    "args",
    "id",
    "session",
    "timeout_ms",
    "view",
    "repair",
];

/// `POST /v1/call`
pub(crate) async fn call(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Sent(request): Sent,
) -> Result<Response, Failure> {
    let asked = read(&app, request.root(), None)?;
    if wants_events(&headers) {
        return stream::answer(&app, &headers, &request, asked);
    }
    let completed = asked.session.call(asked.call).await;
    Ok(answer(&completed, asked.view, asked.kept))
}

/// `POST /v1/tools/{name}`: the arguments in, the result out, as the OpenAPI document has it.
pub(crate) async fn tool(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    Sent(args): Sent,
) -> Response {
    let completed = app.tools().call(Call::new(name, args).json_only()).await;
    match raw::response(&completed, &headers) {
        Some(response) => with_outcome(response, &completed),
        None => answer(&completed, View::Json, false),
    }
}

/// Reads one call. Those of a batch are all of its session.
pub(crate) fn read(app: &App, call: Node<'_>, session: Option<&Session>) -> Result<Asked, Failure> {
    if call.kind() != Kind::Object {
        return Err(Failure::invalid(
            "Expected an object with `name` and `args`.",
        ));
    }
    body::only(call, &FIELDS)?;
    let name = body::text(call, "name")?;
    let name = name.ok_or_else(|| Failure::invalid("Expected `name`, the tool to call."))?;
    let args = match call.get("args") {
        Some(args) => args.to_value(),
        None => Value::from_json("{}").map_err(|wrong| Failure::of_violations(&wrong))?,
    };
    let mut made = Call::new(&*name, args).json_only();
    if let Some(id) = body::text(call, "id")? {
        made = made.id(&*id);
    }
    if let Some(time) = timeout(call)? {
        made = made.timeout(time);
    }
    if let Some(repair) = call.get("repair") {
        let repair = repair.as_bool();
        made = made
            .repair(repair.ok_or_else(|| Failure::invalid("Expected `repair` to be a boolean."))?);
    }
    let named = body::text(call, "session")?;
    let (session, kept) = match (session, named) {
        (Some(session), None) => (session.clone(), true),
        (Some(_), Some(_)) => {
            return Err(Failure::invalid(
                "Expected `session` beside `calls`, not in a call.",
            ));
        }
        (None, Some(id)) => (app.sessions.get(&id)?, true),
        (None, None) => (app.tools(), false),
    };
    Ok(Asked {
        call: made,
        session,
        view: view(call)?,
        kept,
    })
}

fn timeout(call: Node<'_>) -> Result<Option<Duration>, Failure> {
    let Some(time) = call.get("timeout_ms") else {
        return Ok(None);
    };
    let wrong = || Failure::invalid("Expected `timeout_ms` to be a whole number above 0.");
    match time.as_number().map(toolpact::core::json::Number::whole) {
        Some(Whole::Integer(ms)) if ms > 0 => Ok(Some(Duration::from_millis(
            u64::try_from(ms).map_err(|_| wrong())?,
        ))),
        _ => Err(wrong()),
    }
}

fn view(call: Node<'_>) -> Result<View, Failure> {
    let Some(name) = body::text(call, "view")? else {
        return Ok(View::Json);
    };
    View::from_name(&name).ok_or_else(|| {
        let names: Vec<&str> = View::ALL.map(View::as_str).into();
        Failure::invalid(&format!(
            "Expected `view` to be one of `{}`.",
            names.join("`, `")
        ))
    })
}

fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/event-stream"))
}

/// What came of a call, in the form that was asked for. The status tells programs whether it worked.
pub(crate) fn answer(completed: &Completed, view: View, kept: bool) -> Response {
    with_outcome(body_of(completed, view, kept), completed)
}

fn with_outcome(mut response: Response, completed: &Completed) -> Response {
    let outcome = match completed.outcome() {
        Ok(outcome) => outcome.as_str(),
        Err(error) => error.kind().code(),
    };
    let outcome = HeaderValue::from_static(outcome);
    response.headers_mut().insert(OUTCOME, outcome);
    response
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
