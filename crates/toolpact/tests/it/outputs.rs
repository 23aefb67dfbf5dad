//! From a name and bytes back to the type of the result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::core::json::Value;
use toolpact::returns::{NumberValue, StringValue};
use toolpact::{Context, Registry, Tool, ToolError, error::ErrorKind, tool_fn, typed::ToolSpec};

use crate::support::{contract, returning, value};

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Nothing {}

/// What its type refuses, its schema does not know.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Parts")]
struct Even {
    n: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Parts {
    n: u32,
}

impl TryFrom<Parts> for Even {
    type Error = &'static str;

    fn try_from(parts: Parts) -> Result<Self, &'static str> {
        match parts.n % 2 {
            0 => Ok(Self { n: parts.n }),
            _ => Err("odd"),
        }
    }
}

fn typed<O: toolpact::typed::Output + Clone>(name: &'static str, output: O) -> impl Tool {
    tool_fn(
        ToolSpec::new(name, "For a test."),
        move |_: Nothing, _: Context| std::future::ready(Ok::<O, ToolError>(output.clone())),
    )
}

fn registry() -> Registry {
    let registry = Registry::new();
    registry
        .add(typed("count", NumberValue::success(1)))
        .unwrap();
    registry
        .add(returning(
            contract("data", r#""returns": "NumberValue""#),
            "1",
        ))
        .unwrap();
    let even = tool_fn(
        ToolSpec::new("even", "For a test."),
        async |_: Nothing, _: Context| Ok::<_, ToolError>(Even { n: 2 }),
    );
    registry.add(even).unwrap();
    let words = registry.toolset("words").unwrap();
    words
        .add(typed("count", StringValue::success("one")))
        .unwrap();
    registry
}

#[test]
fn the_right_type() {
    let registry = registry();
    let output = registry
        .read_output("count", br#"{"success":true,"value":3}"#)
        .unwrap();
    assert_eq!(output.get::<NumberValue>(), Some(&NumberValue::success(3)));
    assert_eq!(output.get::<StringValue>(), None);
    assert!(
        output.type_name().ends_with("NumberValue"),
        "{}",
        output.type_name()
    );
    let output = registry.read_output("even", br#"{"n": 4}"#).unwrap();
    assert_eq!(output.get::<Even>(), Some(&Even { n: 4 }));
}

#[test]
fn a_tool_without_types_has_values() {
    let output = registry().read_output("data", b"3").unwrap();
    assert_eq!(output.get::<Value>(), Some(&value("3")));
}

#[test]
fn every_toolset_has_its_own() {
    let registry = registry();
    let words = registry.toolset("words").unwrap();
    let output = words
        .read_output("count", br#"{"success":true,"value":"two"}"#)
        .unwrap();
    assert_eq!(
        output.get::<StringValue>(),
        Some(&StringValue::success("two"))
    );
    let error = words.read_output("count", br#"{"success":true,"value":2}"#);
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidOutput, "{error:?}");
    assert!(error.violations().is_some(), "{error:?}");
}

#[test]
fn an_unregistered_name() {
    let error = registry().read_output("cuont", b"3").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownTool);
    assert_eq!(error.tool(), Some("cuont"));
    assert_eq!(error.to_string(), "there is no tool `cuont`");
}

#[test]
fn the_wrong_type() {
    let registry = registry();
    for broken in [
        &br#"{"success":true,"value":"3"}"#[..],
        b"\"3\"",
        b"{",
        b"",
        b"\xff",
    ] {
        let error = registry.read_output("count", broken).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidOutput, "{error:?}");
        assert!(error.violations().is_some(), "{error:?}");
    }
    // What keeps the contract may still be none of the type.
    let error = registry.read_output("even", br#"{"n": 5}"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidOutput, "{error:?}");
    assert!(error.violations().is_none(), "{error:?}");
    assert!(std::error::Error::source(&error).is_some(), "{error:?}");
    assert!(error.to_string().contains("odd"), "{error}");
}

#[test]
fn a_failure_is_a_result_of_its_type() {
    let failure = br#"{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"No."}}"#;
    let output = registry().read_output("count", failure).unwrap();
    let error = output
        .get::<NumberValue>()
        .unwrap()
        .as_result()
        .unwrap_err();
    assert_eq!(error.code(), "NOT_FOUND_RESOURCE");
}
