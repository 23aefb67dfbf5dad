//! Several calls at once.

use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::{AnyJson, Checked, request_body};
use super::call::BatchCall;
use super::reply::{Failure, HeldReply, Reply};
use crate::view::written;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BatchRequest {
    calls: Vec<BatchCall>,
    /// The session that all calls belong to.
    session: Option<String>,
}

request_body!(BatchRequest);

#[derive(Serialize, JsonSchema)]
pub(super) struct BatchReply {
    /// In the order of the calls.
    results: Vec<AnyJson>,
}

/// `POST /v1/batch`. A call that fails does not keep the others from being made; if one cannot be read,
/// none is made.
pub(super) async fn batch(
    State(app): State<Arc<App>>,
    Checked { body, .. }: Checked<BatchRequest>,
) -> Result<HeldReply<BatchReply>, Failure> {
    if body.calls.len() > app.limits.batch {
        let message = format!("Expected at most {} calls.", app.limits.batch);
        return Err(Failure::invalid(&message));
    }
    let (session, kept) = app.session(body.session.as_deref())?;
    let prepared = body.calls.into_iter().map(BatchCall::prepare);
    let prepared = prepared.collect::<Result<Vec<_>, _>>()?;
    let (calls, views): (Vec<_>, Vec<_>) = prepared.into_iter().unzip();
    let batch = session.call_batch(calls).await;
    let (mut results, mut memory) = (Vec::new(), Vec::new());
    for (completed, view) in batch.into_completed().into_iter().zip(views) {
        results.extend(AnyJson::from_text(written(&completed, view, kept)));
        memory.extend(completed.memory());
    }
    let reply = Reply(BatchReply { results });
    Ok(HeldReply { reply, memory })
}
