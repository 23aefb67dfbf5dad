use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use toolpact_core::json::Value;
use toolpact_core::returns::Outcome;

use super::{CallRecord, Redact};

/// A call as [`JsonLines`](super::JsonLines) writes it, one on a line.
/// [`read_lines`](super::read_lines) reads a log back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LoggedCall {
    /// When it ended, as in RFC 3339.
    pub time: String,
    /// The session it was made in.
    pub session: u64,
    /// The identifier that the caller gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The name it was made by. Others write `toolName`.
    #[serde(alias = "toolName")]
    pub tool: String,
    /// The toolset, if it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toolset: Option<String>,
    /// The digest of the contract, if there is such a tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// What came of it, as in `Toolpact-Outcome` of REST: `SUCCESS`, `PARTIAL`, `PENDING`, `FAILED` or
    /// `CANCELLED` ([`Outcome`]), or the code of the error; `ASKED` if it ended with a question.
    pub outcome: String,
    /// What the logs should know about the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Rules that the arguments or the result broke.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<String>,
    /// What was repaired in the arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// How long it took, waiting included.
    #[serde(rename = "micros", with = "micros")]
    pub took: Duration,
    /// The arguments, redacted.
    #[serde(
        default,
        serialize_with = "as_written",
        skip_serializing_if = "Option::is_none"
    )]
    pub args: Option<Value>,
}

impl LoggedCall {
    pub(super) fn new(record: &CallRecord<'_>, redact: &Redact) -> Self {
        let args = record.args.map(|args| redact.apply(args.root()));
        Self {
            time: jiff::Timestamp::now().to_string(),
            session: record.session,
            call_id: record.call_id.map(Into::into),
            tool: record.tool.to_owned(),
            toolset: record
                .toolset
                .filter(|toolset| !toolset.is_empty())
                .map(Into::into),
            digest: record.digest.map(Into::into),
            outcome: match record.asked {
                true => "ASKED".to_owned(),
                false => match record.error {
                    Some(code) => code.to_owned(),
                    None => record.outcome.unwrap_or(Outcome::Success).to_string(),
                },
            },
            cause: record.cause.clone(),
            violations: record.violations.clone(),
            repairs: record.repairs.clone(),
            took: record.took,
            args: args.and_then(|args| Value::from_json(args).ok()),
        }
    }
}

#[expect(clippy::ref_option, reason = "serde calls it so")]
fn as_written<S: Serializer>(args: &Option<Value>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = args.as_ref().map(|args| args.text().to_owned());
    let raw = text.and_then(|text| RawValue::from_string(text).ok());
    raw.serialize(serializer)
}

mod micros {
    use super::{Deserialize, Deserializer, Duration, Serializer};

    pub(super) fn serialize<S: Serializer>(
        took: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(took.as_micros()).unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_micros)
    }
}
