use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use toolpact_core::json::Value;
use toolpact_core::model::Digest;

use super::Redact;
use super::line::Line;

/// How much of the arguments or the result of a call is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// Nothing.
    None,
    /// The SHA-256 of its JSON, with which a text can be compared.
    #[default]
    Digest,
    /// Everything but what is [redacted](Redact).
    Redacted,
    /// Everything.
    Whole,
}

/// What is written down of the arguments and the result of a call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallDetails {
    /// Of the arguments.
    pub args: Detail,
    /// Of the result; of a call that failed, of its error.
    pub result: Detail,
    /// What is left out where the detail is [`Redacted`](Detail::Redacted).
    pub redact: Redact,
    /// Whether what comes with a result is written, too, where that is written [whole](Detail::Whole): events and
    /// chunks before it, and the text for a model, if the tool itself makes it.
    pub beside: bool,
}

/// A value as it is written down.
#[derive(Default)]
pub(super) struct Kept<'a> {
    pub(super) json: Option<Cow<'a, RawValue>>,
    pub(super) digest: Option<Digest>,
}

impl<'a> Kept<'a> {
    pub(super) fn new(detail: Detail, redact: &Redact, json: &'a [u8]) -> Self {
        let kept = match detail {
            Detail::None => return Self::default(),
            Detail::Digest => None,
            Detail::Redacted => one_line(redact, json),
            Detail::Whole => whole(json),
        };
        // What is no JSON has no other form that could be written.
        let digest = kept.is_none().then(|| Digest::of(json));
        Self { json: kept, digest }
    }

    /// Writes it under the first key, or its digest under the second.
    pub(super) fn write(&self, [key, digest_key]: [&str; 2], line: &mut Line<'_>) {
        if let Some(json) = &self.json {
            line.raw(key, json.get());
        }
        if let Some(digest) = self.digest {
            line.digest(digest_key, digest);
        }
    }

    /// The same, which is kept longer than what it was made of.
    pub(super) fn into_owned(self) -> Kept<'static> {
        Kept {
            json: self.json.map(|json| Cow::Owned(json.into_owned())),
            digest: self.digest,
        }
    }
}

/// As it was written, if that is one line.
fn whole(json: &[u8]) -> Option<Cow<'_, RawValue>> {
    let is_one_line = memchr::memchr2(b'\n', b'\r', json).is_none();
    let raw: Option<&RawValue> = serde_json::from_slice(json).ok().filter(|_| is_one_line);
    raw.map(Cow::Borrowed)
        .or_else(|| one_line(&Redact::nothing(), json))
}

fn one_line(redact: &Redact, json: &[u8]) -> Option<Cow<'static, RawValue>> {
    let value = Value::from_json(json).ok()?;
    let raw = RawValue::from_string(redact.apply(value.root())).ok()?;
    Some(Cow::Owned(raw))
}
