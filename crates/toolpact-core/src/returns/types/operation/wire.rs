//! Operations as they are written, read and described.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::super::as_object::AsObject;
use super::super::result_node::ResultNode;
use super::super::wire::standard_result;
use super::super::{Progress, Timestamp, refine};
use super::{OperationState, OperationStatus};
use crate::Error;
use crate::returns::StandardError;

standard_result!(OperationStatus<R>);

#[derive(Serialize)]
struct Wire<'a, R: Serialize> {
    operation_id: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<&'a Progress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<AsObject<'a, R>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a StandardError>,
    created_at: &'a Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<&'a Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_at: Option<&'a Timestamp>,
}

impl<R: Serialize> OperationStatus<R> {
    fn wire(&self) -> impl Serialize {
        let (result, error) = match &self.state {
            OperationState::Completed(result) => (Some(AsObject(result)), None),
            OperationState::Failed(error) => (None, Some(error)),
            _ => (None, None),
        };
        Wire {
            operation_id: &self.operation_id,
            status: self.state.name(),
            progress: self.progress.as_ref(),
            result,
            error,
            created_at: &self.created_at,
            updated_at: self.updated_at.as_ref(),
            completed_at: self.completed_at.as_ref(),
        }
    }
}

impl<R: DeserializeOwned> OperationStatus<R> {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let part = part.clone().object()?;
        let status = Self {
            operation_id: part.require("operation_id")?.filled()?,
            state: OperationState::read(&part)?,
            progress: part.optional("progress", Progress::read)?,
            created_at: Timestamp::read(&part.require("created_at")?)?,
            updated_at: part.optional("updated_at", Timestamp::read)?,
            completed_at: part.optional("completed_at", Timestamp::read)?,
        };
        status.agrees(&part)?;
        Ok(status)
    }

    fn agrees(&self, part: &ResultNode<'_>) -> Result<(), Error> {
        if !self.state.is_final() {
            part.forbid(&["completed_at"], "before the end")?;
        }
        let percent = self.progress.as_ref().and_then(Progress::percent);
        match (&self.state, percent) {
            (OperationState::Completed(_), Some(percent)) if percent != 100 => {
                let message = format!("expected 100 percent when completed, found {percent}");
                Err(part.fail(message))
            }
            _ => Ok(()),
        }
    }
}

impl<R: DeserializeOwned> OperationState<R> {
    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let status = part.require("status")?;
        let (state, forbidden) = match &*status.text()? {
            "pending" => (Self::Pending, &["result", "error"][..]),
            "running" => (Self::Running, &["result", "error"][..]),
            "completed" => {
                let result = part.require("result")?.object_payload()?;
                (Self::Completed(result), &["error"][..])
            }
            "failed" => (
                Self::Failed(part.require("error")?.error()?),
                &["result"][..],
            ),
            "cancelled" => (Self::Cancelled, &["result", "error"][..]),
            _ => {
                let expected =
                    "expected `pending`, `running`, `completed`, `failed` or `cancelled`";
                return Err(status.wrong(expected));
            }
        };
        part.forbid(forbidden, &format!("when {}", state.name()))?;
        Ok(state)
    }
}

impl<R: JsonSchema> OperationStatus<R> {
    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        let when = |status: &str, then: Json| json!({"if": {"properties": {"status": {"const": status}}}, "then": then});
        let step = json!({"minimum": 0});
        let open = json!({"properties": {"result": false, "error": false, "completed_at": false}});
        let error = refine::error(generator);
        vec![
            json!({"properties": {
                "operation_id": {"minLength": 1},
                "progress": {"properties": {"current_step": step, "total_steps": step}},
                "result": refine::payload::<R>(generator),
            }}),
            when("pending", open.clone()),
            when("running", open),
            when(
                "completed",
                json!({
                    "required": ["result"],
                    "properties": {"error": false, "progress": {"properties": {"percent": {"const": 100}}}},
                }),
            ),
            when(
                "failed",
                json!({"required": ["error"], "properties": {"result": false, "error": error}}),
            ),
            when(
                "cancelled",
                json!({"properties": {"result": false, "error": false}}),
            ),
        ]
    }
}
