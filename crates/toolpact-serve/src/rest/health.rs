//! Whether all is well.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde_json::json;

use super::App;
use super::reply::json_response;
use crate::sources::SourceState;

/// `GET /v1/health`. The server answers, so the status is 200 even if a source is not there.
pub(super) async fn health(State(app): State<Arc<App>>) -> Response {
    let sources = app.keeper.health();
    let well = sources
        .iter()
        .all(|source| source.state == SourceState::Ready);
    let json = json!({
        "status": if well { "ok" } else { "degraded" },
        "version": env!("CARGO_PKG_VERSION"),
        "tools": app.tools().names().count(),
        "sources": sources,
    });
    json_response(StatusCode::OK, json.to_string())
}
