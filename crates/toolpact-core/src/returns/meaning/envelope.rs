//! `success` with its payload, or an error.

use super::outcome::Outcome;
use crate::json::{Kind, Node};
use crate::returns::StandardType;
use crate::violation::report::Report;
use crate::violation::rules::meaning as rules;

/// A success has its payload and no error, a failure an error and no payload.
pub(super) fn check(standard: StandardType, value: Node<'_>, report: &mut Report) {
    if !has_envelope(standard) || is_told_by_schema(standard, value) {
        return;
    }
    let Some(outcome) = Outcome::of(value, "success") else {
        return;
    };
    let payload = payload(standard);
    match outcome.value.as_bool() {
        Some(true) => {
            outcome.forbid("error", &rules::ERROR_ON_SUCCESS, report);
            if let Some(payload) = payload {
                outcome.demand(payload, &rules::PAYLOAD_MISSING, report);
            }
        }
        Some(false) => {
            outcome.demand("error", &rules::ERROR_MISSING, report);
            if let Some(payload) = payload.filter(|name| !is_empty_list(value.get(name))) {
                outcome.forbid(payload, &rules::PAYLOAD_ON_ERROR, report);
            }
        }
        None => {}
    }
}

/// One item of a batch: it may do without data.
pub(super) fn check_item(item: Node<'_>, report: &mut Report) {
    let Some(outcome) = Outcome::of(item, "success") else {
        return;
    };
    match outcome.value.as_bool() {
        Some(true) => outcome.forbid("error", &rules::ERROR_ON_SUCCESS, report),
        Some(false) => outcome.demand("error", &rules::ERROR_MISSING, report),
        None => {}
    }
}

/// Whether a type says `success`, and `error` if there is none. A batch has an error per item.
pub(super) fn has_envelope(standard: StandardType) -> bool {
    payload(standard).is_some() || standard == StandardType::VoidResult
}

pub(super) fn payload(standard: StandardType) -> Option<&'static str> {
    match standard {
        StandardType::ObjectResult | StandardType::ListResult => Some("data"),
        StandardType::StringValue | StandardType::NumberValue | StandardType::BooleanValue => {
            Some("value")
        }
        StandardType::IdentifierValue => Some("id"),
        StandardType::FileResult => Some("file"),
        StandardType::MediaResult => Some("media"),
        StandardType::VoidResult
        | StandardType::EntityResult
        | StandardType::OperationStatus
        | StandardType::BatchResult
        | StandardType::EventStream
        | StandardType::ChunkedData => None,
    }
}

/// The schema of `ObjectResult` wants either data or an error, that of `ListResult` always data.
fn is_told_by_schema(standard: StandardType, value: Node<'_>) -> bool {
    let data = value.get("data").is_some();
    match standard {
        StandardType::ObjectResult => data == value.get("error").is_some(),
        StandardType::ListResult => !data,
        _ => false,
    }
}

/// A failed `ListResult` has to have `data`, too.
fn is_empty_list(payload: Option<Node<'_>>) -> bool {
    payload.is_some_and(|list| list.kind() == Kind::Array && list.items().next().is_none())
}
