//! Plans: calls that use the results of each other.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde_json::json;
use toolpact::core::Severity;
use toolpact::core::json::{Kind, Value};
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact_plan::{Plan, PlanLimits, PlanProblem};

use super::body::Sent;
use super::reply::{Failure, json_response};
use super::{App, body};
use crate::view::error_of;

/// What may stand beside the steps and is not part of the plan.
const BESIDE: [&str; 2] = ["session", "check"];

/// `POST /v1/plan`: `{"steps": […], "session": …, "check": …}`, or the steps alone. A step that fails
/// does not keep those from running that do not need it; a plan that is wrong is refused as a whole.
/// With `check`, nothing runs, and what is wrong is the answer.
pub(super) async fn plan(
    State(app): State<Arc<App>>,
    Sent(request): Sent,
) -> Result<Response, Failure> {
    let session = match body::text(request.root(), "session")? {
        Some(id) => app.sessions.get(&id)?,
        None => app.tools(),
    };
    let check = match request.root().get("check") {
        None => false,
        Some(check) => check
            .as_bool()
            .ok_or_else(|| Failure::invalid("Expected `check` to be a boolean."))?,
    };
    let limits = PlanLimits::default()
        .steps(app.limits.batch)
        .args_bytes(app.limits.body_bytes);
    let read = Plan::from_value_within(&without_beside(request)?, &limits);
    if check {
        let problems = match &read {
            Ok(plan) => plan.problems(&session),
            Err(error) => error.problems().to_vec(),
        };
        let is_error = |problem: &PlanProblem| problem.severity() == Severity::Error;
        let valid = !problems.iter().any(is_error);
        let json = json!({"valid": valid, "problems": problems});
        return Ok(json_response(StatusCode::OK, json.to_string()));
    }
    let plan = read.map_err(|error| refused(error.problems()))?;
    let result = plan.run(&session, limits).await;
    if !result.problems().is_empty() {
        return Err(refused(result.problems()));
    }
    let json = result.to_json_with(|error| error_of(error).to_string());
    Ok(json_response(StatusCode::OK, json))
}

/// The plan as it was written, with the remarks that a model may have added.
fn without_beside(request: Value) -> Result<Value, Failure> {
    let root = request.root();
    if root.kind() != Kind::Object {
        return Ok(request);
    }
    let members = root.members().filter(|(key, _)| !BESIDE.contains(&&**key));
    let members = members.map(|(key, value)| format!("{}:{}", json!(key), value.text()));
    let object = format!("{{{}}}", members.collect::<Vec<String>>().join(","));
    Value::from_json(object).map_err(|wrong| Failure::of_violations(&wrong))
}

fn refused(problems: &[PlanProblem]) -> Failure {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let error = StandardError::new(ErrorKind::WrongArgument, &lines.join("\n"));
    Failure::of_error(&match Value::try_from(&json!(problems)) {
        Ok(problems) => error.with_detail("problems", problems),
        Err(_) => error,
    })
}
