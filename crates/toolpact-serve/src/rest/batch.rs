//! Several calls at once.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use toolpact::core::json::Kind;

use super::body::Sent;
use super::call::read;
use super::reply::{Failure, json_response};
use super::{App, body};
use crate::view::written;

/// `POST /v1/batch`: `{"calls": […], "session": …}`. A call that fails does not keep the others from
/// being made; one that is none is refused with the whole.
pub(super) async fn batch(
    State(app): State<Arc<App>>,
    Sent(request): Sent,
) -> Result<Response, Failure> {
    let request = request.root();
    body::only(request, &["calls", "session"])?;
    let calls = request
        .get("calls")
        .filter(|calls| calls.kind() == Kind::Array);
    let calls = calls.ok_or_else(|| Failure::invalid("Expected `calls`, a list of calls."))?;
    if calls.items().count() > app.limits.batch {
        let message = format!("Expected at most {} calls.", app.limits.batch);
        return Err(Failure::invalid(&message));
    }
    let (session, kept) = match body::text(request, "session")? {
        Some(id) => (app.sessions.get(&id)?, true),
        None => (app.tools(), false),
    };
    let asked = calls.items().map(|call| read(&app, call, Some(&session)));
    let asked = asked.collect::<Result<Vec<_>, _>>()?;
    let views: Vec<_> = asked.iter().map(|asked| asked.view).collect();
    let batch = session
        .call_batch(asked.into_iter().map(|asked| asked.call))
        .await;
    let results = batch.completed().iter().zip(views);
    let results: Vec<String> = results
        .map(|(completed, view)| written(completed, view, kept))
        .collect();
    let json = format!(r#"{{"results":[{}]}}"#, results.join(","));
    Ok(json_response(StatusCode::OK, json))
}
