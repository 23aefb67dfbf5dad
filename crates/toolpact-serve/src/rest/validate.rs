//! Calls and results looked at, and nothing done.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde_json::json;
use toolpact::core::returns::Level;
use toolpact::core::toolset::Function;

use super::body::Sent;
use super::reply::{Failure, json_response, violations_of};
use super::{App, body, contracts};

/// `POST /v1/validate`: `{"name": …, "args": …}` or `{"name": …, "result": …}`.
pub(super) async fn validate(
    State(app): State<Arc<App>>,
    Sent(request): Sent,
) -> Result<Response, Failure> {
    let request = request.root();
    body::only(request, &["name", "args", "result"])?;
    let name = body::text(request, "name")?;
    let name = name.ok_or_else(|| Failure::invalid("Expected `name`, the tool it is about."))?;
    let session = app.tools();
    let entry = session.get(&name).ok_or_else(contracts::unknown)?;
    let function = Function::of_contract(entry.contract(), Level::Meaning);
    let checked = match (request.get("args"), request.get("result")) {
        (Some(args), None) => function.read_args(args.text().as_bytes()).map(drop),
        (None, Some(result)) => function.promise().check_json(result.text().as_bytes()),
        _ => return Err(Failure::invalid("Expected either `args` or `result`.")),
    };
    let violations = checked
        .err()
        .map_or_else(|| json!([]), |wrong| violations_of(&wrong));
    let valid = violations.as_array().is_none_or(Vec::is_empty);
    let json = json!({"valid": valid, "violations": violations});
    Ok(json_response(StatusCode::OK, json.to_string()))
}
