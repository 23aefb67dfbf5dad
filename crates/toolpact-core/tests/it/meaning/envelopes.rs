//! `success`, payloads and errors.

use toolpact_core::json::{Document, Limits};
use toolpact_core::returns::StandardType;

use super::{breaks, codes, enforcer, everything, holds, says};

const ERROR: &str = r#"{"code": "INTERNAL_ERROR", "message": "Lost."}"#;

/// Each type with an envelope, and a member that is its payload.
const TYPES: [(&str, &str); 6] = [
    ("StringValue", r#""value": """#),
    ("NumberValue", r#""value": 0"#),
    ("BooleanValue", r#""value": false"#),
    ("IdentifierValue", r#""id": "x""#),
    ("FileResult", r#""file": {}"#),
    ("MediaResult", r#""media": {"type": "audio"}"#),
];

#[test]
fn success_has_its_payload_and_no_error() {
    for (name, payload) in TYPES {
        holds(name, &format!(r#"{{"success": true, {payload}}}"#));
        breaks("returns-payload-missing", name, r#"{"success": true}"#);
        breaks(
            "returns-error-on-success",
            name,
            &format!(r#"{{"success": true, {payload}, "error": {ERROR}}}"#),
        );
    }
    holds("VoidResult", r#"{"success": true}"#);
    breaks(
        "returns-error-on-success",
        "VoidResult",
        &format!(r#"{{"success": true, "error": {ERROR}}}"#),
    );
}

#[test]
fn failure_has_an_error_and_no_payload() {
    for (name, payload) in TYPES {
        holds(name, &format!(r#"{{"success": false, "error": {ERROR}}}"#));
        breaks("returns-error-missing", name, r#"{"success": false}"#);
        breaks(
            "returns-payload-on-error",
            name,
            &format!(r#"{{"success": false, {payload}, "error": {ERROR}}}"#),
        );
    }
    holds(
        "VoidResult",
        &format!(r#"{{"success": false, "error": {ERROR}}}"#),
    );
    breaks(
        "returns-error-missing",
        "VoidResult",
        r#"{"success": false}"#,
    );
}

#[test]
fn plain_values_have_no_envelope() {
    holds("StringValue", r#""success""#);
    holds("NumberValue", "-1");
    holds("BooleanValue", "false");
}

#[test]
fn an_object_with_the_wrong_flag() {
    let both = ["returns-error-on-success", "returns-payload-missing"];
    let flipped = format!(r#"{{"error": {ERROR}, "success": true}}"#);
    assert_eq!(everything("ObjectResult", &flipped), both);
    let both = ["returns-payload-on-error", "returns-error-missing"];
    assert_eq!(
        everything("ObjectResult", r#"{"data": {}, "success": false}"#),
        both
    );
}

#[test]
fn what_the_schema_says_is_not_said_again() {
    let alternatives = ["value-alternatives"];
    assert_eq!(
        everything("ObjectResult", r#"{"success": true}"#),
        alternatives
    );
    assert_eq!(
        everything("ObjectResult", r#"{"success": false}"#),
        alternatives
    );
    let both = format!(r#"{{"success": true, "data": {{}}, "error": {ERROR}}}"#);
    assert_eq!(everything("ObjectResult", &both), alternatives);
    assert_eq!(
        everything("ListResult", r#"{"success": true}"#),
        ["value-missing-key"]
    );
    let null = r#"{"success": true, "id": "x", "error": null}"#;
    assert_eq!(everything("IdentifierValue", null), ["value-type"]);
    let null = r#"{"success": false, "error": null}"#;
    assert_eq!(everything("IdentifierValue", null), ["value-type"]);
}

#[test]
fn meaning_is_looked_at_where_the_shape_is_wrong_elsewhere() {
    let value =
        r#"{"success": "yes", "data": {}, "metadata": {"timestamp": "now", "duration_ms": -1}}"#;
    let found = ["value-type", "returns-format", "returns-negative"];
    assert_eq!(everything("ObjectResult", value), found);
}

#[test]
fn a_failed_list_has_empty_data() {
    holds("ListResult", r#"{"success": true, "data": []}"#);
    holds(
        "ListResult",
        &format!(r#"{{"success": false, "data": [], "error": {ERROR}}}"#),
    );
    breaks(
        "returns-error-missing",
        "ListResult",
        r#"{"success": false, "data": []}"#,
    );
    breaks(
        "returns-payload-on-error",
        "ListResult",
        &format!(r#"{{"success": false, "data": [{{}}], "error": {ERROR}}}"#),
    );
    breaks(
        "returns-error-on-success",
        "ListResult",
        &format!(r#"{{"success": true, "data": [], "error": {ERROR}}}"#),
    );
}

#[test]
fn codes_of_errors_are_of_a_category() {
    let failure = |code: &str| {
        format!(r#"{{"success": false, "error": {{"code": "{code}", "message": "m"}}}}"#)
    };
    for prefix in [
        "VALIDATION",
        "AUTH",
        "FORBIDDEN",
        "NOT_FOUND",
        "CONFLICT",
        "RATE_LIMIT",
        "INTERNAL",
        "EXTERNAL",
    ] {
        holds("VoidResult", &failure(&format!("{prefix}_ERROR")));
        breaks("returns-error-code", "VoidResult", &failure(prefix));
        breaks(
            "returns-error-code",
            "VoidResult",
            &failure(&format!("X_{prefix}_ERROR")),
        );
    }
    breaks(
        "returns-error-code",
        "VoidResult",
        &failure("validation_error"),
    );
    holds(
        "VoidResult",
        r#"{"success": false, "error": {"message": "m"}}"#,
    );
    says(
        "VoidResult",
        &failure("E42"),
        "expected a code that begins with one of `VALIDATION_`, `AUTH_`, `FORBIDDEN_`, \
         `NOT_FOUND_`, `CONFLICT_`, `RATE_LIMIT_`, `INTERNAL_` and `EXTERNAL_`, found `E42`",
    );
}

#[test]
fn metadata_of_objects() {
    let object = |metadata: &str| {
        format!(r#"{{"success": true, "data": {{}}, "metadata": {{{metadata}}}}}"#)
    };
    holds(
        "ObjectResult",
        &object(r#""timestamp": "2026-02-15t10:30:00.5+01:00""#),
    );
    breaks(
        "returns-format",
        "ObjectResult",
        &object(r#""timestamp": "2026-02-15T10:30:00""#),
    );
    breaks(
        "returns-format",
        "ObjectResult",
        &object(r#""timestamp": "2026-02-30T10:30:00Z""#),
    );
    holds("ObjectResult", &object(r#""duration_ms": 0"#));
    holds("ObjectResult", &object(r#""duration_ms": -0.0"#));
    breaks(
        "returns-negative",
        "ObjectResult",
        &object(r#""duration_ms": -1"#),
    );
    breaks(
        "returns-negative",
        "ObjectResult",
        &object(r#""duration_ms": -1e300"#),
    );
}

/// A failure is the same for every type, so its code is, too.
#[test]
fn the_code_of_a_failure_is_looked_at_in_every_type() {
    let failure = r#"{"success": false, "error": {"code": "ERROR_CODE", "message": "m"}}"#;
    let document = Document::json(failure.as_bytes(), &Limits::default());
    for standard in StandardType::all() {
        let found = enforcer(standard).check_document(&document).violations;
        assert_eq!(codes(&found), ["returns-error-code"], "{standard}");
    }
}
