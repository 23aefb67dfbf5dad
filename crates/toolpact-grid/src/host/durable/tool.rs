//! The tool that says what came of a durable call, for callers over MCP, REST and the command line.

use toolpact::core::contract::Contract;
use toolpact::core::json::{Kind, Value};
use toolpact::returns::OperationStatus;
use toolpact::{Context, Definition, ToolError};

use super::Operation;
use crate::error::{Error, Reason};
use crate::host::Host;

const CONTRACT: &str = r#"{
    "description": "Says how far a call is that goes on without its caller, and what came of it. The error of the call names the operation.",
    "parameters": {
        "type": "object",
        "properties": { "operation_id": { "type": "string", "pattern": "^[0-9a-f]{32}$" } },
        "required": ["operation_id"],
        "additionalProperties": false
    },
    "returns": "OperationStatus",
    "effects": { "read_only": true }
}"#;

impl Host {
    /// Whether a tool of it may be called durably.
    #[must_use]
    pub fn has_durable_calls(&self) -> bool {
        self.shared().durable.is_some()
    }

    /// A tool of this name that says how far a durable call of its caller is and what came of it, as an
    /// OperationStatus. It runs here, and needs no runtime.
    pub fn operation_tool(&self, name: &str) -> Result<Definition, Error> {
        let (rest, name_json) = (CONTRACT.trim_start_matches('{'), Value::from(name));
        let contract = Contract::from_json(format!(r#"{{"name": {name_json}, {rest}"#));
        let contract = contract.map_err(|_| Error::new(Reason::Name(name.into())))?;
        let host = self.clone();
        let body = move |args: Value, context: Context| {
            let host = host.clone();
            async move {
                let id = args
                    .root()
                    .get("operation_id")
                    .and_then(toolpact::core::json::Node::as_str);
                let id = id.unwrap_or_default();
                let operation = host.outcome(&id, context.principal()).await?;
                let status = serde_json::to_string(&operation.to_status()?)?;
                Ok::<_, ToolError>(Value::from_json(status)?)
            }
        };
        Ok(Definition::new(contract, body))
    }
}

impl Operation {
    /// As ADL has it. The result of an operation is an object: one that is not is its member `value`.
    pub fn to_status(&self) -> Result<OperationStatus<Value>, ToolError> {
        let at = |time: u64| {
            let time = crate::clock::timestamp(time);
            time.ok_or_else(|| ToolError::internal("a time that no calendar has"))
        };
        let status = OperationStatus::new(&self.id, at(self.created)?)?;
        let end = at(self.ended.unwrap_or(self.created).max(self.created))?;
        Ok(match (&self.outcome, &self.progress, &self.runtime) {
            (Some(Ok(value)), _, _) => status.complete(end, object(value)?)?,
            (Some(Err(error)), _, _) => status.fail(end, error.clone())?,
            (None, Some(progress), _) => status.advance(end, progress.clone())?,
            (None, None, Some(_)) => status.start(end)?,
            (None, None, None) => status,
        })
    }
}

fn object(value: &Value) -> Result<Value, ToolError> {
    match value.kind() {
        Kind::Object => Ok(value.clone()),
        _ => Ok(Value::from_json(format!(r#"{{"value":{value}}}"#))?),
    }
}
