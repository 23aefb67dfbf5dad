use super::super::{
    BooleanValue, Identifier, IdentifierValue, NumberValue, StringValue, VoidResult,
};
use super::*;

const FAILURE: &str = r#"{"success": false, "error": {"code": "X", "message": "m"}}"#;

#[test]
fn strings() {
    built(&StringValue::success("Hello"));
    assert_eq!(built(&StringValue::bare("Hello")), r#""Hello""#);
    built(&StringValue::failure(error()));
    agree::<StringValue>(
        &[r#""""#, r#"{"success": true, "value": ""}"#, FAILURE],
        &[
            "5",
            "null",
            "{}",
            r#"{"value": "a"}"#,
            r#"{"success": true}"#,
            r#"{"success": true, "value": 5}"#,
            r#"{"success": true, "value": "a", "error": {"code": "X", "message": "m"}}"#,
            r#"{"success": false, "value": "a"}"#,
            r#"{"success": false}"#,
            r#"{"success": false, "value": "a", "error": {"code": "X", "message": "m"}}"#,
        ],
    );
}

#[test]
fn numbers() {
    built(&NumberValue::success(i64::MIN));
    built(&NumberValue::float(98.6).unwrap().with_unit("fahrenheit"));
    assert_eq!(built(&NumberValue::bare(42)), "42");
    let failure = NumberValue::failure(error()).with_unit("meters");
    assert_eq!((failure.unit(), failure.as_result().is_err()), (None, true));
    built(&failure);
    assert_eq!(
        built(&NumberValue::bare(5).with_unit("m")),
        r#"{"success":true,"value":5,"unit":"m"}"#
    );
    assert!(NumberValue::float(f64::INFINITY).is_err());
    agree::<NumberValue>(
        &[
            "5",
            "-0.5e3",
            "18446744073709551616",
            r#"{"success": true, "value": 1, "unit": ""}"#,
            FAILURE,
        ],
        &[
            r#""5""#,
            "[5]",
            r#"{"success": true}"#,
            r#"{"success": true, "value": "5"}"#,
            r#"{"success": true, "value": 5, "unit": 5}"#,
            r#"{"success": false, "unit": "m", "error": {"code": "X", "message": "m"}}"#,
        ],
    );
}

#[test]
fn booleans() {
    built(&BooleanValue::success(false));
    assert_eq!(built(&BooleanValue::bare(true)), "true");
    built(&BooleanValue::failure(error()));
    assert_eq!(BooleanValue::success(false).as_result(), Ok(false));
    agree::<BooleanValue>(
        &["true", r#"{"success": true, "value": true}"#, FAILURE],
        &[
            "1",
            r#""true""#,
            r#"{"success": true}"#,
            r#"{"success": true, "value": 1}"#,
        ],
    );
}

#[test]
fn identifiers() {
    let id = Identifier::new("usr_1").unwrap();
    built(&IdentifierValue::success(id.clone()));
    built(&IdentifierValue::success(id.with_type("user")));
    built(&IdentifierValue::failure(error()));
    assert!(Identifier::new("").is_err());
    agree::<IdentifierValue>(
        &[r#"{"success": true, "id": "1"}"#, FAILURE],
        &[
            r#""usr_1""#,
            r#"{"id": "1"}"#,
            r#"{"success": true}"#,
            r#"{"success": true, "id": ""}"#,
            r#"{"success": true, "id": 5}"#,
            r#"{"success": true, "id": "1", "type": null}"#,
            r#"{"success": false, "id": "1", "error": {"code": "X", "message": "m"}}"#,
        ],
    );
}

#[test]
fn voids() {
    assert_eq!(built(&VoidResult::success()), r#"{"success":true}"#);
    built(&VoidResult::success().with_message("Done"));
    built(&VoidResult::failure(error()).with_message("Not done"));
    assert_eq!(VoidResult::from(Ok(())), VoidResult::success());
    agree::<VoidResult>(
        &[r#"{"success": true, "data": 5}"#, FAILURE],
        &[
            "null",
            "{}",
            r#"{"success": 1}"#,
            r#"{"success": true, "message": 5}"#,
            r#"{"success": false}"#,
            r#"{"success": true, "error": {"code": "X", "message": "m"}}"#,
        ],
    );
}
