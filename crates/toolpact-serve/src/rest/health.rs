//! The state of the server and of its sources.

use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use super::App;
use super::reply::Reply;
use crate::sources::Health;

#[derive(Serialize, JsonSchema)]
pub(super) struct HealthReply {
    status: Status,
    version: &'static str,
    /// How many tools are served.
    tools: usize,
    sources: Vec<Health>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Ok,
    Degraded,
}

/// `GET /v1/health`. The server answers, so the status of HTTP is 200 even if a source fails.
pub(super) async fn health(State(app): State<Arc<App>>) -> Reply<HealthReply> {
    let sources = app.supervisor.health();
    let status = match sources.iter().all(Health::is_fine) {
        true => Status::Ok,
        false => Status::Degraded,
    };
    Reply(HealthReply {
        status,
        version: env!("CARGO_PKG_VERSION"),
        tools: app.count(),
        sources,
    })
}
