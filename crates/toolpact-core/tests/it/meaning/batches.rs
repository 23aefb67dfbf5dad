//! `BatchResult`.

use super::{breaks, holds, says};

/// A batch of this total, and more.
fn batch(total: &str, more: &str) -> String {
    format!(r#"{{"success": true, "batch_id": "b", "total": {total}{more}}}"#)
}

const GOOD: &str = r#"{"id": "1", "success": true}"#;
const BAD: &str = r#"{"id": "2", "success": false, "error": {"code": "INTERNAL_ERROR"}}"#;

#[test]
fn counts_of_a_batch_add_up() {
    let rule = "returns-batch-counts";
    holds(
        "BatchResult",
        &batch("100", r#", "successful": 98, "failed": 2"#),
    );
    breaks(
        rule,
        "BatchResult",
        &batch("100", r#", "successful": 98, "failed": 3"#),
    );
    // One is left over: skipped, or not done yet.
    holds(
        "BatchResult",
        &batch("3", r#", "successful": 1, "failed": 1"#),
    );
    holds("BatchResult", &batch("100", r#", "successful": 98"#));
    holds("BatchResult", &batch("100", r#", "failed": 100"#));
    breaks(rule, "BatchResult", &batch("100", r#", "successful": 101"#));
    breaks(rule, "BatchResult", &batch("100", r#", "failed": 101"#));
    let large = r#", "successful": 9223372036854775807, "failed": 9223372036854775807"#;
    says(
        "BatchResult",
        &batch("1", large),
        "expected at least `successful` and `failed` together, 18446744073709551614, found 1",
    );
    let exact = r#", "successful": 9007199254740992, "failed": 1"#;
    holds("BatchResult", &batch("9007199254740993", exact));
    breaks(rule, "BatchResult", &batch("9007199254740992", exact));
    // Counts that contradict each other say nothing about the items.
    let items = format!(r#", "successful": 5, "failed": 9, "items": [{GOOD}]"#);
    breaks(rule, "BatchResult", &batch("1", &items));
}

#[test]
fn items_of_a_batch_are_among_the_counted() {
    let rule = "returns-batch-items";
    let items =
        |counts: &str, items: &[&str]| format!(r#"{counts}, "items": [{}]"#, items.join(","));
    holds("BatchResult", &batch("9", &items("", &[GOOD, BAD])));
    breaks(rule, "BatchResult", &batch("1", &items("", &[GOOD, BAD])));
    holds(
        "BatchResult",
        &batch(
            "9",
            &items(r#", "successful": 1, "failed": 8"#, &[GOOD, BAD]),
        ),
    );
    breaks(
        rule,
        "BatchResult",
        &batch("9", &items(r#", "successful": 1"#, &[GOOD, GOOD])),
    );
    breaks(
        rule,
        "BatchResult",
        &batch("9", &items(r#", "failed": 0"#, &[BAD])),
    );
    says(
        "BatchResult",
        &batch("9", &items(r#", "failed": 0"#, &[BAD])),
        "expected at most 0 items with `success: false`, going by `failed`, found 1",
    );
    let both = items(r#", "successful": 1, "failed": 1"#, &[GOOD, GOOD]);
    breaks(rule, "BatchResult", &batch("2", &both));
    // All are listed, so the numbers are exact.
    holds(
        "BatchResult",
        &batch(
            "2",
            &items(r#", "successful": 1, "failed": 1"#, &[GOOD, BAD]),
        ),
    );
    breaks(
        rule,
        "BatchResult",
        &batch("2", &items(r#", "successful": 2"#, &[GOOD, BAD])),
    );
    breaks(
        rule,
        "BatchResult",
        &batch("2", &items(r#", "failed": 2"#, &[GOOD, BAD])),
    );
}

#[test]
fn items_of_a_batch_have_an_error_or_not() {
    let item = |item: &str| batch("9", &format!(r#", "items": [{{"id": "1", {item}}}]"#));
    holds("BatchResult", &item(r#""success": true"#));
    holds("BatchResult", &item(r#""success": true, "data": {}"#));
    breaks(
        "returns-error-on-success",
        "BatchResult",
        &item(r#""success": true, "error": {}"#),
    );
    holds("BatchResult", &item(r#""success": false, "error": {}"#));
    breaks(
        "returns-error-missing",
        "BatchResult",
        &item(r#""success": false"#),
    );
    breaks(
        "returns-error-code",
        "BatchResult",
        &item(r#""success": false, "error": {"code": "E"}"#),
    );
}

#[test]
fn errors_of_a_batch_are_not_more_than_failed() {
    let errors = |failed: &str, counts: &[&str]| {
        let list: Vec<String> = counts
            .iter()
            .map(|count| format!(r#"{{"count": {count}}}"#))
            .collect();
        batch(
            "1e300",
            &format!(r#"{failed}, "errors": [{}]"#, list.join(",")),
        )
    };
    holds("BatchResult", &errors(r#", "failed": 3"#, &["1", "2"]));
    holds("BatchResult", &errors(r#", "failed": 3"#, &["1"]));
    holds("BatchResult", &errors("", &["5"]));
    breaks(
        "returns-batch-errors",
        "BatchResult",
        &errors(r#", "failed": 3"#, &["2", "2"]),
    );
    let most = "9223372036854775807";
    breaks(
        "returns-batch-errors",
        "BatchResult",
        &errors(r#", "failed": 3"#, &[most, most, "1e300"]),
    );
    breaks(
        "returns-negative",
        "BatchResult",
        &errors(r#", "failed": 3"#, &["-1", "3"]),
    );
    breaks(
        "returns-error-code",
        "BatchResult",
        &batch("1", r#", "errors": [{"code": "E"}]"#),
    );
}
