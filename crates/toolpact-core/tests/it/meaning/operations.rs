//! `OperationStatus`, `EntityResult` and `EventStream`.

use super::{breaks, everything, holds, says};

/// An operation with these members besides what every one has.
fn operation(status: &str, more: &str) -> String {
    format!(
        r#"{{"operation_id": "op", "created_at": "2026-02-15T10:00:00Z", "status": "{status}"{more}}}"#
    )
}

const RESULT: &str = r#", "result": {}"#;
const ERROR: &str = r#", "error": {"code": "INTERNAL_ERROR"}"#;

#[test]
fn outcomes() {
    let name = "OperationStatus";
    holds(name, &operation("completed", RESULT));
    breaks(
        "returns-operation-result",
        name,
        &operation("completed", ""),
    );
    breaks(
        "returns-operation-error",
        name,
        &operation("completed", &format!("{RESULT}{ERROR}")),
    );
    holds(name, &operation("failed", ERROR));
    breaks("returns-operation-error", name, &operation("failed", ""));
    breaks(
        "returns-operation-result",
        name,
        &operation("failed", &format!("{RESULT}{ERROR}")),
    );
    for status in ["pending", "running", "cancelled"] {
        holds(name, &operation(status, ""));
    }
    // Part of a result may be there while it runs, and none before.
    holds(name, &operation("running", RESULT));
    holds(name, &operation("cancelled", RESULT));
    breaks(
        "returns-operation-result",
        name,
        &operation("pending", RESULT),
    );
    holds(name, &operation("pending", ERROR));
    says(
        name,
        &operation("completed", ""),
        "expected `result` beside `status: \"completed\"`, found none",
    );
    let swapped = ["returns-operation-result", "returns-operation-error"];
    assert_eq!(everything(name, &operation("completed", ERROR)), swapped);
}

#[test]
fn steps() {
    let with = |current: &str, total: &str| {
        let progress = format!(r#"{{"current_step": {current}, "total_steps": {total}}}"#);
        operation("running", &format!(r#", "progress": {progress}"#))
    };
    holds("OperationStatus", &with("20", "20.0"));
    breaks(
        "returns-operation-steps",
        "OperationStatus",
        &with("21", "20"),
    );
    // Neither survives a trip through a float.
    breaks(
        "returns-operation-steps",
        "OperationStatus",
        &with("9007199254740993", "9007199254740992"),
    );
    breaks(
        "returns-operation-steps",
        "OperationStatus",
        &with("1e300", "20"),
    );
    holds("OperationStatus", &with("20", "1e300"));
    holds("OperationStatus", &with("-1e300", "0"));
    let alone = r#", "progress": {"current_step": 21}"#;
    holds("OperationStatus", &operation("running", alone));
}

#[test]
fn times() {
    for key in ["updated_at", "completed_at"] {
        let with = |time: &str| operation("running", &format!(r#", "{key}": "{time}""#));
        holds("OperationStatus", &with("2026-02-15T10:00:00Z"));
        holds("OperationStatus", &with("2026-02-15T09:00:00-01:00"));
        holds(
            "OperationStatus",
            &with("2026-02-15T10:00:00.000000000000001Z"),
        );
        breaks(
            "returns-operation-times",
            "OperationStatus",
            &with("2026-02-15T09:59:59.999Z"),
        );
        breaks(
            "returns-operation-times",
            "OperationStatus",
            &with("2026-02-15T11:59:00+02:00"),
        );
        breaks("returns-format", "OperationStatus", &with("2026-02-14"));
    }
    breaks(
        "returns-format",
        "OperationStatus",
        r#"{"operation_id": "op", "status": "running", "created_at": "not-a-date"}"#,
    );
}

#[test]
fn relationships_name_entities() {
    let with = |data: &str| {
        format!(r#"{{"id": "1", "type": "a", "relationships": {{"r": {{"data": {data}}}}}}}"#)
    };
    let name = "EntityResult";
    for data in [
        r#"{"id": "2", "type": "b"}"#,
        "[]",
        r#"[{"id": "2", "type": "b", "meta": 1}]"#,
    ] {
        holds(name, &with(data));
    }
    for data in [
        r#"{"id": "2"}"#,
        r#"{"type": "b"}"#,
        r#"{"id": 2, "type": "b"}"#,
        r#"{"id": "2", "type": null}"#,
        r#"["2"]"#,
        "[null]",
        r#"[{"id": "2", "type": "b"}, {"id": "3"}]"#,
    ] {
        breaks("returns-relationship", name, &with(data));
    }
    holds(
        name,
        r#"{"id": "1", "type": "a", "relationships": {"r": {"links": {}}}}"#,
    );
    says(
        name,
        &with(r#"{"id": 2, "type": "b"}"#),
        "expected `id` to be a string, found the number 2",
    );
    // The schema says what `data` may be.
    assert_eq!(everything(name, &with("5")), ["value-alternatives"]);
    // A time only by its name: the schema gives it no format.
    holds(
        name,
        r#"{"id": "1", "type": "a", "meta": {"created_at": "long ago"}}"#,
    );
}

#[test]
fn events_wait_forwards() {
    holds("EventStream", r#"{"event": "m", "retry": 0}"#);
    holds("EventStream", r#"{"event": "m", "data": {"retry": -1}}"#);
    breaks(
        "returns-negative",
        "EventStream",
        r#"{"event": "m", "retry": -3000}"#,
    );
}
