//! `BatchResult`.

use super::numbers::{bounded, count, integer, not_negative};
use super::{envelope, error};
use crate::json::{Kind, Node};
use crate::violation::report::{Place, Report};
use crate::violation::rules::meaning as rules;

pub(super) fn check(value: Node<'_>, report: &mut Report) {
    let agree = counts(value, report);
    if let Some(items) = array(value, "items") {
        for item in items.items() {
            envelope::check_item(item, report);
            error::check(item.get("error"), report);
        }
        // Counts that contradict each other say nothing about the items.
        if agree {
            tally(value, items, report);
        }
    }
    if let Some(errors) = array(value, "errors") {
        for one in errors.items() {
            error::check(Some(one), report);
            not_negative(one, "count", report);
        }
        failures(value, errors, report);
    }
}

/// Whether the counts agree.
fn counts(value: Node<'_>, report: &mut Report) -> bool {
    let Some(node) = value.get("total") else {
        return true;
    };
    let number = |key| integer(value, key).map(i128::from);
    let Some(total) = number("total") else {
        return true;
    };
    let (successful, failed) = (number("successful"), number("failed"));
    let (agree, expected) = match (successful, failed) {
        (Some(successful), Some(failed)) => {
            let sum = successful + failed;
            (
                sum == total,
                format!("`successful` and `failed` together, {sum}"),
            )
        }
        (Some(part), None) => (part <= total, format!("at least `successful`, {part}")),
        (None, Some(part)) => (part <= total, format!("at least `failed`, {part}")),
        (None, None) => (true, String::new()),
    };
    if !agree {
        report.add(&rules::BATCH_COUNTS, Place::Node(node.id()), |finding| {
            finding.say(format!("expected {expected}, found {total}"));
        });
    }
    agree
}

/// The items may be only some of the batch, but not others than the counts say.
fn tally(value: Node<'_>, items: Node<'_>, report: &mut Report) {
    let found = count(items.items());
    let Some(total) = bounded(value, "total") else {
        return;
    };
    let mut complain = |expected: String, found: i128| {
        report.add(&rules::BATCH_ITEMS, Place::Node(items.id()), |finding| {
            finding.say(format!("expected {expected}, found {found}"));
        });
    };
    if found > total.max(0) {
        return complain(format!("at most {total} items, going by `total`"), found);
    }
    for (key, outcome) in [("successful", true), ("failed", false)] {
        let Some(expected) = bounded(value, key) else {
            continue;
        };
        let of_outcome =
            |item: &Node<'_>| item.get("success").and_then(Node::as_bool) == Some(outcome);
        let some = count(items.items().filter(of_outcome));
        let with = |how_many: &str| {
            format!("{how_many} items with `success: {outcome}`, going by `{key}`")
        };
        if some > expected {
            return complain(with(&format!("at most {expected}")), some);
        }
        if found == total && some < expected {
            return complain(with(&format!("all {expected}")), some);
        }
    }
}

/// The errors, by how often they happened, are not more than failed.
fn failures(value: Node<'_>, errors: Node<'_>, report: &mut Report) {
    let Some(failed) = bounded(value, "failed").filter(|failed| *failed >= 0) else {
        return;
    };
    let counts = errors.items().filter_map(|one| bounded(one, "count"));
    let sum = counts.fold(0, |sum: i128, count| sum.saturating_add(count.max(0)));
    if sum > failed {
        report.add(&rules::BATCH_ERRORS, Place::Node(errors.id()), |finding| {
            finding.say(format!(
                "expected counts that add up to at most `failed`, {failed}, found {sum}"
            ));
        });
    }
}

fn array<'a>(object: Node<'a>, key: &str) -> Option<Node<'a>> {
    object.get(key).filter(|node| node.kind() == Kind::Array)
}
