use proptest::prelude::*;

use super::{ErrorCategory, ErrorKind, Retry, StandardError};
use crate::json::Value;
use crate::model::{ErrorObject, ErrorType};

/// The table of the design, word by word.
#[rustfmt::skip]
const DESIGN: [(ErrorKind, &str, &str, Retry); 21] = {
    use ErrorKind as K;
    use Retry::{IfIdempotent, Never, Yes};
    const PARAMETER: &str = "PARAMETER_VALIDATION_FAILED";
    const DENIED: &str = "PERMISSION_DENIED";
    const NOT_FOUND: &str = "RESOURCE_NOT_FOUND";
    const STATE: &str = "INVALID_STATE";
    const RATE: &str = "RATE_LIMIT_EXCEEDED";
    const DOWN: &str = "SERVICE_UNAVAILABLE";
    const RULE: &str = "BUSINESS_RULE_VIOLATION";
    [
        (K::MissingArgument, PARAMETER, "VALIDATION_REQUIRED", Never),
        (K::WrongArgument, PARAMETER, "VALIDATION_FORMAT", Never),
        (K::BusinessRule, RULE, "VALIDATION_BUSINESS_RULE", Never),
        (K::UnknownTool, NOT_FOUND, "NOT_FOUND_ENDPOINT", Never),
        (K::NotFound, NOT_FOUND, "NOT_FOUND_RESOURCE", Never),
        (K::NotAuthenticated, DENIED, "AUTH_UNAUTHORIZED", Never),
        (K::Expired, DENIED, "AUTH_EXPIRED", Never),
        (K::NotAllowed, DENIED, "FORBIDDEN_ACCESS", Never),
        (K::Scope, DENIED, "FORBIDDEN_SCOPE", Never),
        (K::Duplicate, STATE, "CONFLICT_DUPLICATE", Never),
        (K::WrongState, STATE, "CONFLICT_STATE", Never),
        (K::RateLimited, RATE, "RATE_LIMIT_EXCEEDED", Yes),
        (K::TooManyAtOnce, RATE, "RATE_LIMIT_CONCURRENCY", Yes),
        (K::DependencyFailed, DOWN, "EXTERNAL_API_ERROR", IfIdempotent),
        (K::DependencyTimedOut, DOWN, "EXTERNAL_TIMEOUT", IfIdempotent),
        (K::TimedOut, DOWN, "INTERNAL_TIMEOUT", IfIdempotent),
        (K::Cancelled, "CANCELLED", "INTERNAL_CANCELLED", Never),
        (K::ContractViolation, "CONTRACT_VIOLATION", "INTERNAL_CONTRACT", Never),
        (K::Quarantined, "CONTRACT_VIOLATION", "FORBIDDEN_QUARANTINED", Never),
        (K::Configuration, "CONFIGURATION_ERROR", "INTERNAL_CONFIGURATION", Never),
        (K::Internal, "INTERNAL_ERROR", "INTERNAL_ERROR", Never),
    ]
};

#[test]
fn the_table_is_the_design() {
    assert_eq!(ErrorKind::all().len(), DESIGN.len());
    for (i, (kind, error_type, code, retry)) in DESIGN.into_iter().enumerate() {
        assert_eq!(kind as usize, i, "rows are in the order of the enum");
        assert_eq!(ErrorKind::all().nth(i), Some(kind));
        assert_eq!(kind.error_type().as_str(), error_type);
        assert_eq!((kind.code(), kind.retry()), (code, retry));
        assert_eq!(ErrorKind::from_code(code), kind, "codes are one to one");
        assert!(code.starts_with(kind.category().prefix()));
        assert!(!kind.text().is_empty());
    }
}

#[test]
fn types_lead_to_the_kind_that_claims_least() {
    let cases = [
        ("PARAMETER_VALIDATION_FAILED", ErrorKind::WrongArgument),
        ("RESOURCE_NOT_FOUND", ErrorKind::NotFound),
        ("PERMISSION_DENIED", ErrorKind::NotAllowed),
        ("BUSINESS_RULE_VIOLATION", ErrorKind::BusinessRule),
        ("SERVICE_UNAVAILABLE", ErrorKind::DependencyFailed),
        ("RATE_LIMIT_EXCEEDED", ErrorKind::RateLimited),
        ("INVALID_STATE", ErrorKind::WrongState),
        ("CONFIGURATION_ERROR", ErrorKind::Configuration),
        ("CANCELLED", ErrorKind::Cancelled),
        ("CONTRACT_VIOLATION", ErrorKind::ContractViolation),
        ("INTERNAL_ERROR", ErrorKind::Internal),
        ("HOST_DOWN", ErrorKind::Internal),
        ("AUTH_EXPIRED", ErrorKind::Expired),
    ];
    for (name, kind) in cases {
        assert_eq!(ErrorKind::from_type(&name.into()), kind, "{name}");
        // One kind of each type maps back.
        if ErrorKind::all().any(|k| k.error_type().as_str() == name) {
            assert_eq!(kind.error_type().as_str(), name);
        }
    }
}

#[test]
fn unknown_codes_go_by_their_prefix() {
    let cases = [
        (
            "VALIDATION_ERROR",
            ErrorKind::WrongArgument,
            "PARAMETER_VALIDATION_FAILED",
        ),
        ("AUTH_MFA", ErrorKind::NotAuthenticated, "PERMISSION_DENIED"),
        (
            "FORBIDDEN_REGION",
            ErrorKind::NotAllowed,
            "PERMISSION_DENIED",
        ),
        ("NOT_FOUND_USER", ErrorKind::NotFound, "RESOURCE_NOT_FOUND"),
        ("NOT_FOUND", ErrorKind::NotFound, "RESOURCE_NOT_FOUND"),
        ("CONFLICT_LOCKED", ErrorKind::WrongState, "INVALID_STATE"),
        (
            "RATE_LIMIT_DAILY",
            ErrorKind::RateLimited,
            "RATE_LIMIT_EXCEEDED",
        ),
        ("INTERNAL_BUG", ErrorKind::Internal, "INTERNAL_ERROR"),
        (
            "EXTERNAL_DNS",
            ErrorKind::DependencyFailed,
            "SERVICE_UNAVAILABLE",
        ),
        // The name of an ADM type, used as a code.
        (
            "PERMISSION_DENIED",
            ErrorKind::NotAllowed,
            "PERMISSION_DENIED",
        ),
        // An unknown code is kept.
        ("HOST_DOWN", ErrorKind::Internal, "HOST_DOWN"),
        ("AUTHOR_MISSING", ErrorKind::Internal, "AUTHOR_MISSING"),
        ("", ErrorKind::Internal, "INTERNAL_ERROR"),
    ];
    for (code, kind, error_type) in cases {
        let error = StandardError::with_code(code, "m");
        assert_eq!((error.code(), error.kind()), (code, kind));
        assert_eq!(error.error_type().as_str(), error_type, "{code}");
    }
    assert_eq!(ErrorCategory::all().len(), 8);
}

#[test]
fn the_examples_of_the_specification_come_back() {
    for (code, message, details) in [
        (
            "VALIDATION_REQUIRED",
            "Required field 'email' is missing",
            r#"{"field":"email","constraint":"required"}"#,
        ),
        (
            "NOT_FOUND_RESOURCE",
            "User with ID 'usr_123' not found",
            r#"{"resource_type":"user","resource_id":"usr_123"}"#,
        ),
    ] {
        let text = format!(r#"{{"code":"{code}","message":"{message}","details":{details}}}"#);
        let error = StandardError::from_value(&Value::from_json(&text).unwrap()).unwrap();
        assert_eq!(error.to_json(), text);
        assert_eq!(error.details().count(), 2);
        let again: StandardError = serde_json::from_str(&text).unwrap();
        assert_eq!(again, error);
        assert_eq!(serde_json::to_value(&error).unwrap()["code"], code);
    }
}

#[test]
fn stack_traces_stay_inside() {
    let text = r#"{"code":"X","message":"m","stack_trace":"secret"}"#;
    let error: StandardError = serde_json::from_str(text).unwrap();
    assert_eq!(error.stack_trace(), Some("secret"));
    let shown = [
        error.to_json(),
        error.to_string(),
        format!("{error:?}{error:#?}"),
        serde_json::to_string(&error).unwrap(),
        format!("{:?}", ErrorObject::from(&error)),
    ];
    assert!(
        shown.iter().all(|text| !text.contains("secret")),
        "{shown:?}"
    );
    assert_eq!(error.to_json_with_stack_trace(), text);
}

#[test]
fn wrong_errors_are_refused_with_every_reason() {
    let refused = |text: &str| {
        StandardError::from_value(&Value::from_json(text).unwrap())
            .unwrap_err()
            .to_string()
    };
    insta::assert_snapshot!(refused("[]"), @"error[wrong-type]: expected an error, which is an object, found an array");
    insta::assert_snapshot!(refused(r#"{"code": 5, "details": [], "stack_trace": null, "message": " "}"#), @r#"
    error[wrong-type] at /code: expected `code` to be a string, found the number 5
    error[wrong-type] at /details: expected `details` to be an object, found an array
    error[wrong-type] at /stack_trace: expected `stack_trace` to be a string, found null
    error[error-message-blank] at /message: expected `message` to say something, found only white space or nothing
    "#);
    insta::assert_snapshot!(refused("{}"), @"
    error[missing-field]: expected the field `code` in an error, found none
    error[missing-field]: expected the field `message` in an error, found none
    ");
}

#[test]
fn failures_are_understood_as_far_as_possible() {
    let read = |text: &str| StandardError::of_failure(Value::from_json(text).unwrap().root());
    let error = read(r#"{"success": false, "error": {"code": 404, "details": {"a": 1}}}"#).unwrap();
    assert_eq!(
        error.to_json(),
        r#"{"code":"INTERNAL_ERROR","message":"The tool failed.","details":{"a":1}}"#
    );
    for other in [
        r#"{"success": true, "error": {}}"#,
        r#"{"success": false}"#,
        r#"{"success": false, "error": "text"}"#,
        r#"{"error": {}}"#,
        "[]",
    ] {
        assert!(read(other).is_none(), "{other}");
    }
}

fn any_code() -> impl Strategy<Value = String> {
    let prefix = prop::sample::select(
        ErrorCategory::all()
            .map(ErrorCategory::prefix)
            .collect::<Vec<_>>(),
    );
    prop_oneof![
        ".*",
        "[A-Z_]{0,20}",
        (prefix, "[A-Z_]{0,8}").prop_map(|(prefix, rest)| format!("{prefix}{rest}")),
    ]
}

proptest! {
    #[test]
    fn every_code_has_a_kind_and_a_type(code in any_code(), message in ".*") {
        let error = StandardError::with_code(&code, &message);
        prop_assert_eq!(error.code(), &code);
        prop_assert!(!error.message().trim().is_empty());
        if let Some(category) = ErrorCategory::of_code(&code) {
            prop_assert_eq!(error.kind().category(), category);
        }
        // ADM accepts it, and converting back keeps what ADM can express.
        let adm = ErrorObject::from(&error);
        prop_assert_eq!(ErrorObject::from_json(adm.to_json()).unwrap(), adm.clone());
        prop_assert_eq!(ErrorObject::from(&StandardError::from(&adm)), adm);
        // ADL accepts it unchanged.
        let value = Value::from_json(error.to_json()).unwrap();
        prop_assert_eq!(StandardError::from_value(&value).unwrap(), error);
    }

    #[test]
    fn every_type_has_a_kind_and_unknown_ones_stay(name in any_code()) {
        let adm = ErrorObject::new("m").unwrap().with_type(&*name);
        let error = StandardError::from(&adm);
        if ErrorKind::all().all(|kind| kind.error_type().as_str() != name) {
            prop_assert_eq!(error.code(), &name);
        }
        prop_assert_eq!(error.kind(), ErrorKind::from_type(&ErrorType::from(&*name)));
    }
}
