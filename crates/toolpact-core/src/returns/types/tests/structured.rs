use super::super::{
    EntityReference, EntityResult, Metadata, ObjectResult, OperationState, OperationStatus,
    Progress, Relationship, Timestamp,
};
use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn objects() {
    let metadata = Metadata::default()
        .with_timestamp(at("2026-02-15T10:30:00.5+01:00"))
        .with_request_id("req_1")
        .with_duration_ms(u64::MAX);
    built(&ObjectResult::success(order(1)).with_metadata(metadata));
    let failure = built(&ObjectResult::<Order>::failure(error()));
    assert_eq!(
        failure,
        r#"{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"It is not there"}}"#
    );
    assert_eq!(ObjectResult::from(Ok(order(1))).into_result(), Ok(order(1)));
    agree::<ObjectResult<Order>>(
        &[
            r#"{"success": true, "data": {"number": 1}, "more": null}"#,
            r#"{"success": true, "data": {"number": 1}, "metadata": {"duration_ms": 5.0}}"#,
            r#"{"success": false, "error": {"code": "X", "message": "m", "details": {}, "stack_trace": "s"}}"#,
        ],
        &[
            "{}",
            "[]",
            r#"{"success": true}"#,
            r#"{"success": "true", "data": {"number": 1}}"#,
            r#"{"success": true, "data": {"number": "1"}}"#,
            r#"{"success": true, "data": {}}"#,
            r#"{"success": true, "data": [1]}"#,
            r#"{"success": true, "error": {"code": "X", "message": "m"}}"#,
            r#"{"success": false, "data": {"number": 1}}"#,
            r#"{"success": false, "error": {"code": "X"}}"#,
            r#"{"success": false, "error": {"code": "X", "message": "  "}}"#,
            r#"{"success": false, "error": {"code": 5, "message": "m"}}"#,
            r#"{"success": false, "error": {"code": "X", "message": "m", "details": []}}"#,
            r#"{"success": true, "data": {"number": 1}, "metadata": {"duration_ms": -5}}"#,
            r#"{"success": true, "data": {"number": 1}, "metadata": {"duration_ms": 5.5}}"#,
            r#"{"success": true, "data": {"number": 1}, "metadata": {"timestamp": "yesterday"}}"#,
            r#"{"success": true, "data": {"number": 1}, "metadata": null}"#,
        ],
    );
}

#[test]
fn payloads_must_be_objects() {
    let written = |payload: serde_json::Value| ObjectResult::success(payload).to_value();
    assert!(written(serde_json::json!({"a": [1]})).is_ok());
    for payload in [
        serde_json::json!(null),
        serde_json::json!([1]),
        serde_json::json!("a"),
    ] {
        let error = written(payload).unwrap_err().to_string();
        assert!(
            error.contains("expected an object as the payload"),
            "{error}"
        );
    }
    assert!(ObjectResult::success(()).to_value().is_err());
    assert!(ObjectResult::success((1, 2)).to_value().is_err());
    assert!(ObjectResult::success(Some(order(1))).to_value().is_ok());
    assert!(ObjectResult::success(None::<Order>).to_value().is_err());
    assert!(ObjectResult::success(Ok::<u8, u8>(1)).to_value().is_ok());
}

#[test]
fn entities() {
    let one = EntityReference::new("m_1", "maker").unwrap();
    let entity = EntityResult::new("o_1", "order", order(1)).unwrap();
    built(&entity);
    let entity = entity
        .with_relationship("maker", Relationship::One(one.clone()))
        .with_relationship(
            "reviews",
            Relationship::Many(vec![one.clone(), one.clone()]),
        )
        .with_meta("created_at", "2026-01-15T08:00:00Z");
    built(&entity);
    assert_eq!(entity.relationship("maker"), Some(&Relationship::One(one)));
    assert!(EntityResult::new("", "order", order(1)).is_err());
    assert!(EntityResult::new("o", "", order(1)).is_err());
    agree::<EntityResult<Order>>(
        &[
            r#"{"id": "1", "type": "order", "attributes": {"number": 1}, "relationships": {}, "meta": {}}"#,
            r#"{"id": "1", "type": "order", "attributes": {"number": 1}, "relationships": {"a": {"data": []}}}"#,
        ],
        &[
            r#"{"id": "1", "type": "order"}"#,
            r#"{"id": 1, "type": "order", "attributes": {"number": 1}}"#,
            r#"{"id": "", "type": "order", "attributes": {"number": 1}}"#,
            r#"{"id": "1", "type": "order", "attributes": {"number": "1"}}"#,
            r#"{"id": "1", "type": "order", "attributes": {"number": 1}, "meta": []}"#,
            r#"{"id": "1", "type": "order", "attributes": {"number": 1}, "relationships": {"a": {}}}"#,
            r#"{"id": "1", "type": "order", "attributes": {"number": 1}, "relationships": {"a": {"data": null}}}"#,
            r#"{"id": "1", "type": "order", "attributes": {"number": 1}, "relationships": {"a": {"data": {"id": "1"}}}}"#,
            r#"{"id": "1", "type": "order", "attributes": {"number": 1}, "relationships": {"a": {"data": [{"id": "1"}]}}}"#,
        ],
    );
}

#[test]
fn operations() {
    let pending = OperationStatus::<Order>::new("op_1", at("2026-02-15T10:00:00Z")).unwrap();
    built(&pending);
    let later = at("2026-02-15T12:05:00+02:00");
    let progress = Progress::default()
        .with_steps(1, 2)
        .unwrap()
        .with_message("Halfway");
    let running = pending.clone().advance(later.clone(), progress).unwrap();
    built(&running);
    built(&pending.clone().start(later.clone()).unwrap());
    let completed = running.clone().complete(later.clone(), order(1)).unwrap();
    built(&completed);
    assert_eq!(completed.progress(), None);
    built(&running.clone().fail(later.clone(), error()).unwrap());
    let cancelled = running.clone().cancel(later.clone()).unwrap();
    built(&cancelled);
    assert_eq!(cancelled.state(), &OperationState::Cancelled);

    assert!(OperationStatus::<Order>::new("", later.clone()).is_err());
    assert!(pending.start(at("2026-02-15T09:59:59Z")).is_err());
    let back = running.start(at("2026-02-15T10:04:59Z")).unwrap_err();
    insta::assert_snapshot!(back, @"at /updated_at: expected no time before 2026-02-15T12:05:00+02:00, found 2026-02-15T10:04:59Z");
    let over = completed.start(later).unwrap_err();
    insta::assert_snapshot!(over, @"at /status: expected an operation that goes on, found it completed");
    assert!(Progress::default().with_percent(101).is_err());
}

#[test]
fn operations_that_are_read() {
    let with = |rest: &str| {
        format!(r#"{{"operation_id": "op", "created_at": "2026-02-15T10:00:00Z", {rest}}}"#)
    };
    let good = [
        r#""status": "pending""#,
        r#""status": "completed", "result": {"number": 1}, "progress": {"percent": 100}"#,
        r#""status": "failed", "error": {"code": "X", "message": "m"}, "progress": {"percent": 5}"#,
        r#""status": "cancelled", "completed_at": "2026-02-15T10:00:00Z""#,
    ];
    let bad = [
        r#""status": "done""#,
        r#""status": "pending", "completed_at": "2026-02-15T10:00:00Z""#,
        r#""status": "running", "result": {"number": 1}"#,
        r#""status": "completed""#,
        r#""status": "completed", "result": [1]"#,
        r#""status": "completed", "result": {"number": "1"}"#,
        r#""status": "completed", "result": {"number": 1}, "progress": {"percent": 99}"#,
        r#""status": "completed", "result": {"number": 1}, "error": {"code": "X", "message": "m"}"#,
        r#""status": "failed""#,
        r#""status": "failed", "error": {"message": "m"}"#,
        r#""status": "cancelled", "error": {"code": "X", "message": "m"}"#,
        r#""status": "running", "progress": {"percent": 101}"#,
        r#""status": "running", "progress": {"current_step": -1}"#,
        r#""status": "running", "updated_at": "soon""#,
    ];
    let contradicting = [
        r#""status": "running", "updated_at": "2026-02-15T10:59:59+01:00""#,
        r#""status": "running", "progress": {"current_step": 2, "total_steps": 1}"#,
    ];
    for text in good.map(with) {
        agree::<OperationStatus<Order>>(&[&text], &[]);
    }
    for text in bad.map(with) {
        agree::<OperationStatus<Order>>(&[], &[&text]);
    }
    for text in contradicting.map(with) {
        contradictions::<OperationStatus<Order>>(&[&text]);
    }
}

#[test]
fn times() {
    use std::time::{Duration, UNIX_EPOCH};
    let time = Timestamp::from(UNIX_EPOCH + Duration::from_millis(1_771_147_800_250));
    assert_eq!(time.as_str(), "2026-02-15T09:30:00.25Z");
    assert_eq!(at(time.as_str()), time);
    let far = Timestamp::from(UNIX_EPOCH + Duration::from_secs(1 << 45));
    assert_eq!(at(far.as_str()), far);
    let before = Timestamp::from(UNIX_EPOCH - Duration::from_secs(1));
    assert_eq!(before.as_str(), "1969-12-31T23:59:59Z");
    for wrong in [
        "",
        "2026-02-15",
        "2026-02-15T10:00:00",
        "2026-02-30T10:00:00Z",
        "2026-02-15 10:00:00Z[UTC]",
    ] {
        assert!(wrong.parse::<Timestamp>().is_err(), "{wrong}");
    }
}
