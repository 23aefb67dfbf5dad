//! The state of the server and of its sources.

use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use toolpact::mock::{Behaviour, Mock};

use super::App;
use super::reply::Reply;
use crate::sources::Health;

#[derive(Serialize, JsonSchema)]
pub(super) struct HealthReply {
    status: Status,
    version: &'static str,
    /// How many tools are served.
    tools: usize,
    /// What mocked tools do, if they are: nothing runs then.
    #[serde(skip_serializing_if = "Option::is_none")]
    mock: Option<MockHealth>,
    sources: Vec<Health>,
}

/// Answers are made from the contracts.
#[derive(Serialize, JsonSchema)]
struct MockHealth {
    /// What the answers are made with.
    seed: u64,
    /// What tools do besides answering.
    all: Behaviour,
    /// How many tools do something else.
    others: usize,
}

impl MockHealth {
    fn of(mock: &Mock) -> Self {
        Self {
            seed: mock.seed,
            all: mock.all.clone(),
            others: mock.tools.len(),
        }
    }
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
        mock: app.supervisor.mock().map(MockHealth::of),
        sources,
    })
}
