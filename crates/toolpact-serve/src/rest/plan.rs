//! Plans: calls that use the results of each other.

use std::sync::Arc;

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use toolpact::core::Severity;
use toolpact::core::json::{Kind, Node, Value};
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact_plan::{Plan, PlanLimits, PlanProblem};

use super::App;
use super::body::{AnyJson, Written};
use super::held_session::HeldSession;
use super::reply::{Failure, HeldReply, Reply};
use super::sender::Sender;
use crate::view::error_of;

/// What may stand beside the steps and is not part of the plan.
const BESIDE: [&str; 2] = ["session", "check"];

/// How a plan is sent. A model may add remarks; what is wrong with it the plan itself says.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes what is read as JSON")]
pub(super) enum PlanRequest {
    Plan {
        steps: Vec<StepRequest>,
        /// The session that all calls belong to.
        session: Option<String>,
        /// Whether the plan is only checked.
        check: Option<bool>,
    },
    Steps(Vec<StepRequest>),
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes what is read as JSON")]
pub(super) struct StepRequest {
    id: Option<TextOr<i64>>,
    /// The tool to call.
    tool: String,
    /// The arguments, or their JSON.
    args: Option<TextOr<Map<String, Json>>>,
    /// The steps that this one waits for besides those that it refers to.
    after: Option<TextOr<Vec<String>>>,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes what is read as JSON")]
pub(super) enum TextOr<T> {
    Text(String),
    Other(T),
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum PlanReply {
    Ran(#[schemars(with = "RanReply")] AnyJson),
    Checked {
        valid: bool,
        #[schemars(with = "Vec<ProblemReply>")]
        problems: Vec<PlanProblem>,
    },
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the JSON of a result")]
struct RanReply {
    /// Whether every step is done.
    done: bool,
    steps: Vec<StepReply>,
}

#[derive(JsonSchema)]
#[serde(tag = "status", rename_all = "snake_case")]
#[expect(dead_code, reason = "describes the JSON of a result")]
enum StepReply {
    Done {
        id: String,
        tool: String,
        /// The result of the step.
        value: AnyJson,
    },
    Failed {
        id: String,
        tool: String,
        error: AnyJson,
        /// The steps that could not run because this one failed.
        held_up: Option<Vec<String>>,
    },
    Skipped {
        id: String,
        tool: String,
        /// The step that failed before this one.
        because: String,
    },
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the JSON of a problem")]
struct ProblemReply {
    rule: String,
    /// `error` or `warning`.
    severity: String,
    step: Option<String>,
    /// JSON Pointer in the step, or in the plan.
    at: String,
    message: String,
    suggestion: Option<String>,
}

/// `POST /v1/plan`: `{"steps": […], "session": …, "check": …}`, or the steps alone. A step that fails
/// does not keep those from running that do not need it; a plan that is wrong is refused as a whole.
/// With `check`, nothing runs, and what is wrong is the answer.
pub(super) async fn plan(
    State(app): State<Arc<App>>,
    sender: Sender,
    Written { json, .. }: Written<PlanRequest>,
) -> Result<HeldReply<PlanReply>, Failure> {
    let session = member(&json, "session", "a string", Node::as_str)?;
    let (session, _) = app.session(session.as_deref(), &sender)?;
    let session = HeldSession::new(session, &app.memory.results);
    let is_check = member(&json, "check", "a boolean", Node::as_bool)?;
    let limits = PlanLimits::default()
        .steps(app.limits.batch)
        .args_bytes(app.limits.body_bytes);
    let read = Plan::from_value_within(&without_beside(json)?, &limits);
    if is_check == Some(true) {
        let problems = match &read {
            Ok(plan) => plan.problems(&session),
            Err(error) => error.problems().to_vec(),
        };
        let is_error = |problem: &PlanProblem| problem.severity() == Severity::Error;
        let valid = !problems.iter().any(is_error);
        return Ok(HeldReply {
            reply: Reply(PlanReply::Checked { valid, problems }),
            memory: Vec::new(),
        });
    }
    let plan = read.map_err(|error| refused(error.problems()))?;
    let result = plan.run(&session, limits).await;
    if !result.problems().is_empty() {
        return Err(refused(result.problems()));
    }
    let json = AnyJson::from_text(result.to_json_with(|error| error_of(error).to_string()));
    let json = json.ok_or_else(|| Failure::new(ErrorKind::Internal, "The result has no JSON."))?;
    Ok(HeldReply {
        reply: Reply(PlanReply::Ran(json)),
        memory: session.into_shares(),
    })
}

/// A member beside the steps, if it is there.
fn member<'v, T>(
    json: &'v Value,
    key: &str,
    expected: &str,
    read: impl FnOnce(Node<'v>) -> Option<T>,
) -> Result<Option<T>, Failure> {
    let Some(node) = json.root().get(key) else {
        return Ok(None);
    };
    let wrong = || Failure::invalid(&format!("Expected `{key}` to be {expected}."));
    read(node).map(Some).ok_or_else(wrong)
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
