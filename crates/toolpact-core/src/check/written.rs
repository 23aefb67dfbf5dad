//! Serializes values with `serde_json`, for when the fast path gives no verdict.

use serde::Serialize;

use crate::Violations;
use crate::json::Value;
use crate::json::report::{Place, Report};
use crate::violation::Pointer;
use crate::violation::rules::json as rules;

/// The JSON text of a value. A value that cannot be serialized, such as a map with lists as keys,
/// is a violation.
pub(crate) fn written<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Violations> {
    serde_json::to_vec(value).map_err(|error| {
        let mut report = Report::new(1);
        report.add(&rules::SYNTAX, Place::Node(0), |finding| {
            finding.say(format!(
                "expected a value that can be written as JSON, but {error}"
            ));
        });
        report.finish_value(&Value::embedded("null"), &Pointer::root())
    })
}
