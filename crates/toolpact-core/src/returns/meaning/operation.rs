//! `OperationStatus`.

use std::cmp::Ordering;

use super::outcome::Outcome;
use super::{formats, instant, numbers};
use crate::json::Node;
use crate::model::describe;
use crate::violation::report::{Place, Report};
use crate::violation::rules::meaning as rules;

pub(super) fn check(value: Node<'_>, report: &mut Report) {
    outcome(value, report);
    steps(value, report);
    times(value, report);
}

fn outcome(value: Node<'_>, report: &mut Report) {
    let Some(outcome) = Outcome::of(value, "status") else {
        return;
    };
    match outcome.value.as_str().as_deref() {
        Some("completed") => {
            outcome.demand("result", &rules::OPERATION_RESULT, report);
            outcome.forbid("error", &rules::OPERATION_ERROR, report);
        }
        Some("failed") => {
            outcome.forbid("result", &rules::OPERATION_RESULT, report);
            outcome.demand("error", &rules::OPERATION_ERROR, report);
        }
        _ => {}
    }
}

fn steps(value: Node<'_>, report: &mut Report) {
    let Some(progress) = value.get("progress") else {
        return;
    };
    let step = |key| Some((progress.get(key)?, numbers::bounded(progress, key)?));
    let (Some((node, current)), Some((_, total))) = (step("current_step"), step("total_steps"))
    else {
        return;
    };
    if current > total {
        report.add(&rules::OPERATION_STEPS, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected at most `total_steps`, {total}, found {}",
                describe(node)
            ));
        });
    }
}

/// Nothing is updated or completed before it is created.
fn times(value: Node<'_>, report: &mut Report) {
    let created = formats::date_time(value, "created_at", report);
    for key in ["updated_at", "completed_at"] {
        let later = formats::date_time(value, key, report);
        let (Some(created), Some(later)) = (created, later) else {
            continue;
        };
        let (Some(from), Some(to)) = (created.as_str(), later.as_str()) else {
            continue;
        };
        if instant::compare(&from, &to) == Some(Ordering::Greater) {
            report.add(
                &rules::OPERATION_TIMES,
                Place::Node(later.id()),
                |finding| {
                    finding.say(format!(
                        "expected no time before `created_at`, {from}, found {to}"
                    ));
                },
            );
        }
    }
}
