use super::super::{BatchItem, BatchResult, ListResult, Pagination};
use super::*;

#[test]
fn lists() {
    built(&ListResult::success(vec![order(1), order(2)]));
    built(&ListResult::<Order>::success(Vec::new()));
    built(&ListResult::page(vec![order(1)], 1, 10, 45).unwrap());
    built(&ListResult::<Order>::page(Vec::new(), 1, 10, 0).unwrap());
    built(&ListResult::<Order>::page(Vec::new(), u64::MAX, u64::MAX, u64::MAX).unwrap());
    let failure = built(&ListResult::<Order>::failure(error()));
    assert_eq!(
        failure,
        r#"{"success":false,"data":[],"error":{"code":"NOT_FOUND_RESOURCE","message":"It is not there"}}"#
    );
    assert!(
        ListResult::success(vec![5]).to_value().is_err(),
        "items are objects"
    );

    let orders = || vec![order(1), order(2)];
    assert!(
        ListResult::page(orders(), 1, 1, 5).is_err(),
        "more than fit"
    );
    assert!(
        ListResult::page(orders(), 1, 2, 1).is_err(),
        "more than there are"
    );
    assert!(
        ListResult::page(orders(), 3, 2, 5).is_err(),
        "more than are left"
    );
    assert!(ListResult::page(orders(), 0, 2, 5).is_err());
    assert!(ListResult::page(orders(), 1, 0, 5).is_err());
}

#[test]
fn pages() {
    let cases = [
        ((1, 10, 0), (0, false, false)),
        ((1, 10, 10), (1, false, false)),
        ((1, 10, 11), (2, true, false)),
        ((2, 10, 11), (2, false, true)),
        ((9, 10, 11), (2, false, true)),
    ];
    for ((page, per_page, total), expected) in cases {
        let p = Pagination::new(page, per_page, total).unwrap();
        assert_eq!((p.total_pages(), p.has_next(), p.has_prev()), expected);
    }
}

#[test]
fn lists_that_are_read() {
    agree::<ListResult<Order>>(
        &[
            r#"{"success": true, "data": []}"#,
            r#"{"success": true, "data": [{"number": 1}], "pagination": {"page": 1, "per_page": 2e1, "total": 1.0}}"#,
            r#"{"success": false, "data": [], "error": {"code": "X", "message": "m"}}"#,
        ],
        &[
            r#"[{"number": 1}]"#,
            r#"{"success": true}"#,
            r#"{"success": true, "data": {"number": 1}}"#,
            r#"{"success": true, "data": [{"number": -1}]}"#,
            r#"{"success": true, "data": [{"number": 1}, 2]}"#,
            r#"{"success": true, "data": [], "error": {"code": "X", "message": "m"}}"#,
            r#"{"success": false, "error": {"code": "X", "message": "m"}}"#,
            r#"{"success": false, "data": []}"#,
            r#"{"success": false, "data": [{"number": 1}], "error": {"code": "X", "message": "m"}}"#,
            r#"{"success": true, "data": [], "pagination": {}}"#,
            r#"{"success": true, "data": [], "pagination": {"page": 0, "per_page": 1, "total": 1}}"#,
            r#"{"success": true, "data": [], "pagination": {"page": 1, "per_page": 1, "total": -1}}"#,
            r#"{"success": true, "data": [], "pagination": {"page": 1, "per_page": 1, "total": 1, "has_next": "no"}}"#,
        ],
    );
    let with = |rest: &str| {
        format!(r#"{{"success": true, "data": [{{"number": 1}}], "pagination": {{{rest}}}}}"#)
    };
    for rest in [
        r#""page": 1, "per_page": 1, "total": 0"#,
        r#""page": 2, "per_page": 1, "total": 1"#,
        r#""page": 1, "per_page": 1, "total": 2, "total_pages": 1"#,
        r#""page": 1, "per_page": 1, "total": 2, "has_next": false"#,
        r#""page": 1, "per_page": 1, "total": 2, "has_prev": true"#,
    ] {
        contradictions::<ListResult<Order>>(&[&with(rest)]);
    }
}

#[test]
fn batches() {
    let failed = |id| BatchItem::failure(id, error());
    let items = vec![
        BatchItem::success("a", order(1)),
        BatchItem::done("b"),
        failed("c"),
        failed("d"),
    ];
    let batch = BatchResult::new("b_1", items).unwrap();
    assert_eq!(
        (batch.total(), batch.successful(), batch.failed()),
        (4, 2, 2)
    );
    let text = built(&batch);
    assert!(text.contains(
        r#""errors":[{"code":"NOT_FOUND_RESOURCE","message":"It is not there","count":2}]"#
    ));
    assert!(
        text.starts_with(
            r#"{"success":true,"batch_id":"b_1","total":4,"successful":2,"failed":2,"#
        )
    );

    built(&BatchResult::<Order>::new("b_1", Vec::new()).unwrap());
    let text = built(&BatchResult::<Order>::new("b_1", vec![failed("a")]).unwrap());
    assert!(text.starts_with(r#"{"success":false,"#));
    let text = built(&BatchResult::<Order>::failure("b_1", 9, error()).unwrap());
    assert!(text.starts_with(r#"{"success":false,"batch_id":"b_1","total":9,"successful":0,"failed":9,"items":[],"error":"#));
    assert!(BatchResult::<Order>::new("", Vec::new()).is_err());
}

#[test]
fn batches_that_are_read() {
    let with = |rest: &str| format!(r#"{{"success": true, "batch_id": "b", {rest}}}"#);
    let good = [
        r#""total": 5, "successful": 3, "failed": 2"#,
        r#""total": 5, "successful": 3, "failed": 2, "items": [{"id": "a", "success": true, "data": {"number": 1}}], "errors": [{"code": "X", "message": "m"}]"#,
    ];
    let bad = [
        r#""total": 5"#,
        r#""total": 5, "successful": 5"#,
        r#""total": -1, "successful": 0, "failed": 0"#,
        r#""total": 1, "successful": 1, "failed": 0, "items": [{"id": "a"}]"#,
        r#""total": 1, "successful": 1, "failed": 0, "items": [{"success": true}]"#,
        r#""total": 1, "successful": 1, "failed": 0, "items": [{"id": "a", "success": true, "data": {"number": "1"}}]"#,
        r#""total": 1, "successful": 1, "failed": 0, "items": [{"id": "a", "success": true, "data": 1}]"#,
        r#""total": 1, "successful": 1, "failed": 0, "items": [{"id": "a", "success": true, "error": {"code": "X", "message": "m"}}]"#,
        r#""total": 1, "successful": 0, "failed": 1, "items": [{"id": "a", "success": false}]"#,
        r#""total": 1, "successful": 0, "failed": 1, "errors": [{"message": "m", "count": 1}]"#,
        r#""total": 1, "error": {"code": "X", "message": "m"}"#,
    ];
    let contradicting = [
        r#""total": 5, "successful": 5, "failed": 1"#,
        r#""total": 1, "successful": 0, "failed": 1, "items": [{"id": "a", "success": true}]"#,
        r#""total": 1, "successful": 0, "failed": 1, "errors": [{"code": "X", "message": "m", "count": 2}]"#,
    ];
    for text in good.map(with) {
        agree::<BatchResult<Order>>(&[&text], &[]);
    }
    for text in bad.map(with) {
        agree::<BatchResult<Order>>(&[], &[&text]);
    }
    for text in contradicting.map(with) {
        contradictions::<BatchResult<Order>>(&[&text]);
    }
}
