//! `ChunkedData`.

use super::numbers::bounded;
use super::{base64, checksum};
use crate::json::Node;
use crate::model::describe;
use crate::violation::report::{Place, Report};
use crate::violation::rules::meaning as rules;

pub(super) fn check(value: Node<'_>, report: &mut Report) {
    sequence(value, report);
    if let Some(bytes) = base64::data(value, report) {
        checksum::of_chunk(value, &bytes, report);
    }
}

fn sequence(value: Node<'_>, report: &mut Report) {
    let (Some(node), Some(sequence), Some(total)) = (
        value.get("sequence"),
        bounded(value, "sequence"),
        bounded(value, "total_chunks"),
    ) else {
        return;
    };
    if sequence >= total.max(1) {
        report.add(&rules::CHUNK_SEQUENCE, Place::Node(node.id()), |finding| {
            finding
                .say(format!(
                    "expected less than `total_chunks`, {total}, found {}",
                    describe(node)
                ))
                .advise("the first chunk is number 0");
        });
        return;
    }
    let Some(last) = value.get("is_last") else {
        return;
    };
    let expected = sequence == total.saturating_sub(1);
    if last.as_bool().is_some_and(|found| found != expected) {
        report.add(&rules::CHUNK_LAST, Place::Node(last.id()), |finding| {
            finding.say(format!(
                "expected {expected} for number {sequence} of {total} chunks, found {}",
                describe(last)
            ));
        });
    }
}
