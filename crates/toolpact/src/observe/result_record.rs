use serde::{Deserialize, Serialize};
use toolpact_core::json::Value;
use toolpact_core::returns::StandardError;

use super::logged_call::present;

/// A result that was stored with [`Completed::to_record`](crate::Completed::to_record), read back: with
/// serde, or many of them with [`read_lines`](super::read_lines).
///
/// [`Registry::read_output`](crate::Registry::read_output) makes the typed value of an output.
///
/// ```
/// use toolpact::observe::ResultRecord;
///
/// let line = r#"{"tool": "add", "input": {"a": 1, "b": 2}, "output": {"success": true, "value": 3}}"#;
/// let record: ResultRecord = serde_json::from_str(line)?;
/// assert_eq!(record.tool, "add");
/// assert!(record.outcome.is_ok());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Wire", into = "Wire")]
#[non_exhaustive]
pub struct ResultRecord {
    /// The name of the tool.
    pub tool: String,
    /// The arguments.
    pub input: Value,
    /// The result, or why there is none.
    pub outcome: Result<Value, StandardError>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    /// Others write `toolName`.
    #[serde(alias = "toolName")]
    tool: String,
    input: Value,
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    output: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<StandardError>,
}

impl TryFrom<Wire> for ResultRecord {
    type Error = &'static str;

    fn try_from(wire: Wire) -> Result<Self, &'static str> {
        let outcome = match (wire.output, wire.error) {
            (Some(output), None) => Ok(output),
            (None, Some(error)) => Err(error),
            (Some(_), Some(_)) => return Err("expected `output` or `error`, found both"),
            (None, None) => return Err("expected `output` or `error`, found neither"),
        };
        Ok(Self {
            tool: wire.tool,
            input: wire.input,
            outcome,
        })
    }
}

impl From<ResultRecord> for Wire {
    fn from(record: ResultRecord) -> Self {
        let (output, error) = match record.outcome {
            Ok(output) => (Some(output), None),
            Err(error) => (None, Some(error)),
        };
        Self {
            tool: record.tool,
            input: record.input,
            output,
            error,
        }
    }
}
