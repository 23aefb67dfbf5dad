//! Settings can be written and read, so that a config can have them.

use std::fmt::Debug;
use std::time::Duration;

use schemars::{JsonSchema, schema_for};
use serde::{Serialize, de::DeserializeOwned};
use toolpact::call::{CallLimits, Enforcement, Pauses, Rate, Retries};
use toolpact::code::ScriptLimits;
use toolpact::core::json::Limits;
use toolpact::core::returns::{ErrorKind, Level};
use toolpact::observe::Redact;

/// It is written like this, read again, and described by its schema; nothing unknown is read.
#[track_caller]
fn round_trip<T>(setting: &T, json: &str)
where
    T: Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema,
{
    assert_eq!(serde_json::to_string(setting).unwrap(), json);
    let read: T = serde_json::from_str(json).unwrap();
    assert_eq!(read, *setting);
    let schema = schema_for!(T).to_value();
    let instance: serde_json::Value = serde_json::from_str(json).unwrap();
    assert!(jsonschema::is_valid(&schema, &instance), "{schema}\n{json}");
    if let Some(object) = json.strip_prefix('{') {
        let unknown = format!(r#"{{"unknown":1,{object}"#).replace(",}", "}");
        let error = serde_json::from_str::<T>(&unknown).unwrap_err().to_string();
        assert!(error.contains("unknown"), "{error}");
        let unknown: serde_json::Value = serde_json::from_str(&unknown).unwrap();
        assert!(!jsonschema::is_valid(&schema, &unknown), "{schema}");
    }
}

#[test]
fn settings_are_written_and_read() {
    round_trip(&Enforcement::Enforce, r#""enforce""#);
    round_trip(&Enforcement::Warn, r#""warn""#);
    round_trip(&Enforcement::Off, r#""off""#);
    round_trip(&Level::Shape, r#""shape""#);
    round_trip(&Level::Meaning, r#""meaning""#);
    round_trip(&Redact::nothing(), r#""nothing""#);
    round_trip(&Redact::everything(), r#""everything""#);
    round_trip(
        &Redact::fields(["password", "token"]),
        r#"{"fields":["password","token"]}"#,
    );
    let retries = Retries::new(3, Duration::from_millis(100));
    round_trip(&retries, r#"{"most":3,"first_ms":100}"#);
    round_trip(
        &retries
            .clone()
            .longest(Duration::from_secs(5))
            .only([ErrorKind::Internal])
            .of_kind(ErrorKind::RateLimited, Pauses::new(5, Duration::ZERO))
            .even_if_done_twice(),
        r#"{"most":3,"first_ms":100,"longest_ms":5000,"kinds":["INTERNAL_ERROR"],"by_kind":{"RATE_LIMIT_EXCEEDED":{"most":5,"first_ms":0}},"even_if_done_twice":true}"#,
    );
    let rate = Rate::new(60, Duration::from_secs(60));
    round_trip(&rate, r#"{"calls":60,"per_ms":60000}"#);
    round_trip(
        &CallLimits::default(),
        r#"{"at_once":256,"waiting":1024,"wait_ms":null,"rate":null,"timeout_ms":null,"result_bytes":16777216,"text_chars":16000,"retries":{"most":0,"first_ms":0}}"#,
    );
    let limits = CallLimits::default().at_once(8).rate(rate).retries(retries);
    round_trip(
        &limits.timeout(Duration::MAX),
        r#"{"at_once":8,"waiting":1024,"wait_ms":null,"rate":{"calls":60,"per_ms":60000},"timeout_ms":18446744073709551615,"result_bytes":16777216,"text_chars":16000,"retries":{"most":3,"first_ms":100}}"#,
    );
    round_trip(
        &ScriptLimits::default(),
        r#"{"time_ms":5000,"memory":67108864,"recursion":500,"calls":1000,"output":1048576,"trace":16777216,"check_ms":20000}"#,
    );
    round_trip(
        &Limits::default(),
        r#"{"depth":128,"bytes":1073741824,"violations":1000}"#,
    );
}

#[test]
fn what_is_left_out_is_the_default() {
    assert_eq!(
        serde_json::from_str::<CallLimits>("{}").unwrap(),
        CallLimits::default()
    );
    let limits: CallLimits = serde_json::from_str(r#"{"timeout_ms": 500}"#).unwrap();
    assert_eq!(
        limits,
        CallLimits::default().timeout(Duration::from_millis(500))
    );
    let limits: ScriptLimits = serde_json::from_str(r#"{"calls": 5}"#).unwrap();
    assert_eq!(limits, ScriptLimits::default().calls(5));
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    for json in [
        r#"{"at_once": 0}"#,
        r#"{"rate": {"calls": 0, "per_ms": 1000}}"#,
        r#"{"rate": {"calls": 5}}"#,
        r#"{"timeout_ms": -1}"#,
        r#"{"timeout_ms": "5s"}"#,
        r#"{"timeout": 500}"#,
        r#"{"retries": {"most": 3, "first": 100}}"#,
        r#"{"retries": {"most": 3, "first_ms": 100, "kinds": ["INTERNAL"]}}"#,
        r#"{"retries": {"most": 3, "first_ms": 100, "kinds": ["INTERNAL_CANCELLED"]}}"#,
        r#"{"retries": {"most": 3, "first_ms": 100, "by_kind": {"internal_error": {"most": 1}}}}"#,
    ] {
        assert!(serde_json::from_str::<CallLimits>(json).is_err(), "{json}");
    }
    let error = serde_json::from_str::<Enforcement>(r#""strict""#).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("expected one of `enforce`, `warn`, `off`"),
        "{error}"
    );
}
