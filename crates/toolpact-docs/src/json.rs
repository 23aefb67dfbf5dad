//! Writes JSON from parts that are already JSON.

use toolpact_core::json::{Limits, Value};

/// A text as a JSON string.
pub(crate) fn string(text: &str) -> String {
    Value::from(text).text().to_owned()
}

/// An object with these keys and values.
pub(crate) fn object<'a>(members: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let members = members.into_iter();
    let members = members.map(|(key, value)| format!("{}:{value}", string(key)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// The value of JSON that was written here, so its depth and size need no limits.
pub(crate) fn value(json: &str) -> Option<Value> {
    let limits = Limits::default().depth(usize::MAX).bytes(usize::MAX);
    Value::from_json_within(json, &limits).ok()
}
