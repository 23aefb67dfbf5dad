use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toolpact_core::returns::ErrorKind;

/// A kind of errors in settings, written as its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ErrorCode(ErrorKind);

impl From<ErrorKind> for ErrorCode {
    fn from(kind: ErrorKind) -> Self {
        Self(kind)
    }
}

/// By the code, for maps.
impl Ord for ErrorCode {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.code().cmp(other.0.code())
    }
}

impl PartialOrd for ErrorCode {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The kinds after which a call can be tried again: all but that of calls whose callers have given up.
fn codes() -> impl Iterator<Item = ErrorKind> {
    ErrorKind::all().filter(|kind| *kind != ErrorKind::Cancelled)
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.code())
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        let kind = codes().find(|kind| kind.code() == code);
        kind.map(Self).ok_or_else(|| {
            let known: Vec<&str> = codes().map(ErrorKind::code).collect();
            D::Error::custom(format!(
                "expected the code of an error, one of {}, found `{code}`",
                known.join(", ")
            ))
        })
    }
}

impl JsonSchema for ErrorCode {
    fn schema_name() -> Cow<'static, str> {
        "ErrorCode".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let codes: Vec<&str> = codes().map(ErrorKind::code).collect();
        json_schema!({"enum": codes})
    }
}
