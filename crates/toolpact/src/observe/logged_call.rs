use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use toolpact_core::Principal;
use toolpact_core::json::Value;

use super::details::Kept;
use super::line::Line;
use super::{CallDetails, CallRecord};
use crate::call::GuardDecision;

/// A call as a log has it, one on a line. [`read_lines`](super::read_lines) reads a log back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LoggedCall {
    /// When it ended, as in RFC 3339.
    pub time: String,
    /// The session it was made in: a number, which other sessions of the same process do not have.
    pub session: u64,
    /// Who made it, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<LoggedPrincipal>,
    /// The identifier that it was given by whoever logged it, which no other call has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation: Option<String>,
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
    /// `CANCELLED` ([`Outcome`](toolpact_core::returns::Outcome)), or the code of the error; `ASKED` if it
    /// ended with a question.
    pub outcome: String,
    /// What the guard decided, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<GuardDecision>,
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
    /// How often the tool was started.
    #[serde(default, skip_serializing_if = "is_none")]
    pub attempts: u32,
    /// The arguments, redacted.
    #[serde(
        default,
        serialize_with = "as_written",
        skip_serializing_if = "Option::is_none"
    )]
    pub args: Option<Value>,
    /// The SHA-256 of the arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args_digest: Option<String>,
    /// The result, redacted; of a call that failed, its error.
    #[serde(
        default,
        deserialize_with = "present",
        serialize_with = "as_written",
        skip_serializing_if = "Option::is_none"
    )]
    pub result: Option<Value>,
    /// The SHA-256 of the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_digest: Option<String>,
    /// Events or chunks that came before the result, and how many more there were.
    #[serde(
        default,
        serialize_with = "all_as_written",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub items: Vec<Value>,
    /// How many more items there were that are not written down.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub items_left_out: usize,
    /// The text for a model, if the tool itself made one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The number of the line in an audit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// What chains the line of an audit to the one before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<String>,
}

/// Who made a call, as a log has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoggedPrincipal {
    /// Its name.
    pub name: String,
    /// Who says so, if it is not the server itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// The customer or the team it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
}

impl CallRecord<'_> {
    /// Writes the call as one line of JSON, without the end of the line. It is read as a [`LoggedCall`].
    pub fn write_json(&self, details: &CallDetails, out: &mut Vec<u8>) {
        let of = |detail, json| Kept::new(detail, &details.redact, json);
        let args = self.args.map(|args| of(details.args, args));
        let args = args.unwrap_or_default();
        let result = match details.result {
            super::Detail::None => None,
            _ => self.result(),
        };
        let result = match &result {
            Some(Cow::Borrowed(json)) => of(details.result, json),
            Some(Cow::Owned(json)) => of(details.result, json).into_owned(),
            None => Kept::default(),
        };
        let mut line = Line::begin(out);
        line.now("time");
        line.number("session", self.session);
        self.write_who_and_what(&mut line);
        line.number("micros", micros::of(self.took));
        if self.attempts > 0 {
            line.number("attempts", self.attempts.into());
        }
        args.write(["args", "args_digest"], &mut line);
        result.write(["result", "result_digest"], &mut line);
        if details.beside && details.result == super::Detail::Whole {
            self.write_beside(&mut line);
        }
        line.end();
    }

    fn write_who_and_what(&self, line: &mut Line<'_>) {
        if !self.principal.is_anonymous() {
            line.object("principal", |line| {
                line.text("name", self.principal.name());
                line.text_if_some("issuer", self.principal.issuer());
                line.text_if_some("tenant", self.principal.tenant());
            });
        }
        line.text("invocation", self.invocation);
        line.text_if_some("call_id", self.call_id);
        line.text("tool", self.tool);
        let toolset = self.toolset.filter(|toolset| !toolset.is_empty());
        line.text_if_some("toolset", toolset);
        line.text_if_some("digest", self.digest);
        line.text("outcome", self.outcome_word());
        if let Some(decision) = self.decision {
            line.value("decision", decision);
        }
        line.text_if_some("cause", self.cause.as_deref());
        for (key, list) in [("violations", &self.violations), ("repairs", &self.repairs)] {
            if !list.is_empty() {
                line.value(key, list);
            }
        }
    }

    /// What comes with a result.
    fn write_beside(&self, line: &mut Line<'_>) {
        if !self.items.is_empty() {
            let items: Vec<&str> = self.items.iter().map(Value::text).collect();
            line.raw("items", &format!("[{}]", items.join(",")));
        }
        if self.items_left_out > 0 {
            line.value("items_left_out", &self.items_left_out);
        }
        line.text_if_some("text", self.text().as_deref());
    }
}

impl From<&Principal> for LoggedPrincipal {
    fn from(principal: &Principal) -> Self {
        Self {
            name: principal.name().to_owned(),
            issuer: principal.issuer().map(ToOwned::to_owned),
            tenant: principal.tenant().map(ToOwned::to_owned),
        }
    }
}

/// `ada`, or `ada@acme` with a tenant.
impl std::fmt::Display for LoggedPrincipal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        match &self.tenant {
            Some(tenant) => write!(f, "@{tenant}"),
            None => Ok(()),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn all_as_written<S: Serializer>(items: &[Value], serializer: S) -> Result<S::Ok, S::Error> {
    let raw = |item: &Value| RawValue::from_string(item.text().to_owned()).ok();
    serializer.collect_seq(items.iter().map(raw))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_none(attempts: &u32) -> bool {
    *attempts == 0
}

/// A result may be null, which is not the same as none.
pub(super) fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Value>, D::Error> {
    <Value as Deserialize>::deserialize(deserializer).map(Some)
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
        serializer.serialize_u64(of(*took))
    }

    pub(super) fn of(took: Duration) -> u64 {
        u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_micros)
    }
}
