//! Several calls at once.

use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::ToolError;

use super::App;
use super::body::{AnyJson, Checked, request_body};
use super::call::BatchCall;
use super::reply::{Failure, HeldReply, Reply};
use super::sender::Sender;
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
    sender: Sender,
    Checked { body, .. }: Checked<BatchRequest>,
) -> Result<HeldReply<BatchReply>, Failure> {
    if body.calls.len() > app.limits.batch {
        let message = format!("Expected at most {} calls.", app.limits.batch);
        return Err(Failure::invalid(&message));
    }
    let (session, kept) = app.session(body.session.as_deref(), &sender)?;
    let prepared = body.calls.into_iter().map(BatchCall::prepare);
    let prepared = prepared.collect::<Result<Vec<_>, _>>()?;
    let (calls, views): (Vec<_>, Vec<_>) = prepared.into_iter().unzip();
    let batch = session.call_batch(calls).await;
    let (mut results, mut memory) = (Vec::new(), Vec::new());
    // Small results take nothing of the memory each, but a batch has many of them.
    let mut small = app.memory.results.take(0);
    for (completed, view) in batch.into_completed().into_iter().zip(views) {
        let mut text = written(&completed, view, kept);
        let share = completed.memory();
        let of_small = small.as_mut().filter(|_| share.is_none());
        if of_small.is_some_and(|small| !small.grow(text.len())) {
            text = Failure::of_error(&ToolError::no_memory().to_standard()).to_result();
        }
        results.extend(AnyJson::from_text(text));
        memory.extend(share);
    }
    memory.extend(small.map(Arc::new));
    let reply = Reply(BatchReply { results });
    Ok(HeldReply { reply, memory })
}
