//! What is promised.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use serde_json::Value as Json;
use toolpact::registry::RegisteredTool;

use super::App;
use super::reply::{Failure, json_response};

/// `GET /v1/contracts`
pub(super) async fn list(State(app): State<Arc<App>>) -> Response {
    let session = app.tools();
    let entries = session
        .names()
        .filter_map(|name| Some((name, session.get(name)?)));
    let entries: Vec<String> = entries.map(|(name, entry)| told(name, entry)).collect();
    json_response(
        StatusCode::OK,
        format!(r#"{{"contracts":[{}]}}"#, entries.join(",")),
    )
}

/// `GET /v1/contracts/{name}`
pub(super) async fn one(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    let session = app.tools();
    match session.get(&name) {
        Some(entry) => Ok(json_response(StatusCode::OK, told(&name, entry))),
        None => Err(unknown()),
    }
}

pub(super) fn unknown() -> Failure {
    Failure::not_found("There is no such tool. `/v1/contracts` lists those there are.")
}

/// A contract without how it is run, which is nobody's business but ours.
fn told(name: &str, entry: &RegisteredTool) -> String {
    format!(
        r#"{{"name":{},"digest":{},"contract":{}}}"#,
        Json::from(name),
        Json::from(entry.digest()),
        entry.contract().to_canonical()
    )
}
