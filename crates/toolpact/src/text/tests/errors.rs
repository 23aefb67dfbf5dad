//! Failures.

use toolpact_core::returns::{ErrorKind, StandardError, StandardType};

use super::super::{Budget, of_error};
use super::value;

fn text(error: &StandardError) -> String {
    of_error(error, &Budget::default()).text
}

#[test]
fn every_kind_says_what_to_do() {
    let texts = ErrorKind::all().map(|kind| text(&StandardError::new(kind, "")));
    insta::assert_snapshot!(texts.collect::<Vec<_>>().join("\n\n"));
}

#[test]
fn details_are_shown_and_traces_are_not() {
    let json = r#"{"success": false, "error": {"code": "VALIDATION_FORMAT",
        "message": "2 arguments are wrong", "stack_trace": "secret1", "details": {
            "violations": [
                {"at": "/days", "expected": "INTEGER", "found": "the string \"3\""},
                {"at": "/cty", "expected": "one of `city`, `days`", "found": "`cty`"}],
            "attempts": 2, "stack": "secret2", "debug": {"inner": [{"traceback": "secret3"}]}}}}"#;
    let error = StandardError::of_failure(value(json).root()).unwrap();
    insta::assert_snapshot!(text(&error), @r#"
    Error VALIDATION_FORMAT: 2 arguments are wrong
    violations (2 items):
      | at | expected | found |
      |---|---|---|
      | /days | INTEGER | the string "3" |
      | /cty | one of `city`, `days` | `cty` |
    attempts: 2
    What to do: correct the argument and call again.
    "#);
    let failed = super::text(StandardType::ListResult, json);
    assert_eq!(failed, text(&error));
}

#[test]
fn waiting() {
    let limited = StandardError::new(ErrorKind::RateLimited, "100 calls per minute");
    let error = limited.clone().with_detail("retry_after", 30);
    insta::assert_snapshot!(text(&error), @"
    Error RATE_LIMIT_EXCEEDED: 100 calls per minute
    retry_after: 30
    What to do: wait 30 seconds, then make the same call again.
    ");
    let error = limited.with_detail("retry_after_ms", "soon");
    insta::assert_snapshot!(text(&error), @"
    Error RATE_LIMIT_EXCEEDED: 100 calls per minute
    retry_after_ms: soon
    What to do: wait a little, then make the same call again.
    ");
}

#[test]
fn unknown_codes_and_long_messages() {
    let error =
        StandardError::with_code("HOST_DOWN", "first\nsecond line\nthird").with_detail("a", 1);
    insta::assert_snapshot!(text(&error), @"
    Error HOST_DOWN: first
    second line
    third
    a: 1
    What to do: the same call will probably fail again. Try another way, or tell the user.
    ");
    let budget = Budget::new(40).with_handle("result_9");
    insta::assert_snapshot!(of_error(&error, &budget).text, @"
    Error HOST_DOWN: first
    a: 1
    What to do: the same call will probably fail again. Try another way, or tell the user.
    [1 of 3 lines shown. The full value is kept under the handle `result_9`: read it there page by page.]
    ");
}
