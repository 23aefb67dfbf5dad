//! Checks arguments and results, and runs nothing.

use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::core::returns::Level;
use toolpact::core::toolset::Function;

use super::body::{AnyJson, Checked, present, request_body};
use super::reply::{Failure, Reply, ViolationReply};
use super::sender::Sender;
use super::{App, contracts};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ValidateRequest {
    /// The tool.
    name: String,
    /// Arguments of a call.
    #[serde(default, deserialize_with = "present")]
    args: Option<AnyJson>,
    /// A result, instead of arguments.
    #[serde(default, deserialize_with = "present")]
    result: Option<AnyJson>,
}

request_body!(ValidateRequest);

#[derive(Serialize, JsonSchema)]
pub(super) struct ValidateReply {
    valid: bool,
    violations: Vec<ViolationReply>,
}

/// `POST /v1/validate`
pub(super) async fn validate(
    State(app): State<Arc<App>>,
    Sender { principal, .. }: Sender,
    Checked { body, .. }: Checked<ValidateRequest>,
) -> Result<Reply<ValidateReply>, Failure> {
    let session = app.tools(&principal);
    let tool = session.get(&body.name).ok_or_else(contracts::unknown)?;
    let function = Function::of_contract(tool.contract(), Level::Meaning);
    let checked = match (body.args, body.result) {
        (Some(args), None) => function.read_args(args.text().as_bytes()).map(drop),
        (None, Some(result)) => function.promise().check_json(result.text().as_bytes()),
        _ => return Err(Failure::invalid("Expected either `args` or `result`.")),
    };
    let violations = checked.err();
    let violations = violations.map_or_else(Vec::new, |wrong| ViolationReply::all(&wrong));
    Ok(Reply(ValidateReply {
        valid: violations.is_empty(),
        violations,
    }))
}
