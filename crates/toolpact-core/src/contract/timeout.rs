//! The field `timeout_ms`.

use crate::json::report::{Place, Report};
use crate::json::{Number, Whole};
use crate::model::{Fields, describe};
use crate::violation::rules::contract as rules;

/// A day. What takes longer is not a call: return an OperationStatus and let the caller ask.
const LONGEST_MS: u32 = 24 * 60 * 60 * 1_000;

pub(super) fn read(fields: &Fields<'_>, report: &mut Report) -> Option<u32> {
    let node = fields.optional("timeout_ms", report)?;
    let ms = match node.as_number().map(Number::whole) {
        Some(Whole::Integer(ms)) => u32::try_from(ms).ok(),
        _ => None,
    };
    let ms = ms.filter(|ms| (1..=LONGEST_MS).contains(ms));
    if ms.is_none() {
        report.add(&rules::TIMEOUT, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected `timeout_ms` to be a whole number from 1 to {LONGEST_MS}, which is a day, found {}",
                describe(node)
            ));
        });
    }
    ms
}
