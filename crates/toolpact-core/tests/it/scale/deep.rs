//! 100,000 levels, on the stack of an ordinary thread.

use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::model::{FunctionCall, Schema, ToolDocument, ToolResult};

use super::{MANY, assert_capped, codes, tool, tool_text, unlimited};

/// Arrays in arrays, as a schema.
fn arrays(levels: usize) -> String {
    let (open, close) = (
        r#"{"type":"ARRAY","items":"#.repeat(levels),
        "}".repeat(levels),
    );
    format!(r#"{open}{{"type":"STRING"}}{close}"#)
}

/// Objects in objects, as a schema; two levels of JSON each.
fn objects(levels: usize) -> String {
    let open = r#"{"type":"OBJECT","required":["a"],"properties":{"a":"#.repeat(levels);
    format!(r#"{open}{{"type":"STRING"}}{}"#, "}}".repeat(levels))
}

fn array_value(levels: usize) -> String {
    format!(r#"{}"x"{}"#, "[".repeat(levels), "]".repeat(levels))
}

#[test]
fn default_limits_refuse_depth() {
    let refused = |violations: toolpact_core::Violations| {
        assert_eq!(codes(&violations), ["json-too-deep"]);
    };
    refused(Value::from_json(array_value(MANY)).unwrap_err());
    refused(Schema::from_json(arrays(MANY)).unwrap_err());
    refused(ToolDocument::from_json(tool_text(&objects(MANY))).unwrap_err());
    let result = format!(
        r#"{{"name":"f","status":"SUCCESS","content":{}}}"#,
        array_value(MANY)
    );
    refused(ToolResult::from_json(&result).unwrap_err());
    // To the level: 128 are allowed.
    assert!(Value::from_json("[".repeat(128) + &"]".repeat(128)).is_ok());
    refused(Value::from_json("[".repeat(129) + &"]".repeat(129)).unwrap_err());
}

#[test]
fn a_deep_schema_can_do_everything() {
    for text in [arrays(MANY), objects(MANY / 2)] {
        let schema = Schema::from_json_within(&text, &unlimited()).unwrap();
        let copy = schema.clone();
        assert!(schema == copy);
        assert_eq!(schema.digest(), copy.digest());
        drop(schema);
        let again = Schema::from_json_within(copy.to_canonical(), &unlimited()).unwrap();
        assert!(again == copy);
        let exported = copy.to_json_schema();
        assert!(exported.text().len() > text.len() / 2);
        assert!(copy.to_arguments_json_schema().text().len() >= exported.text().len());
        assert!(format!("{copy:?}").len() > text.len() / 2);
        // Serde recurses, so it refuses instead of overflowing.
        assert!(serde_json::to_string(&copy).is_err());
        assert!(serde_json::from_str::<Schema>(&text).is_err());
    }
}

#[test]
fn deep_arguments_are_checked() {
    let parameters = |inner: &str| {
        format!(r#"{{"type":"OBJECT","properties":{{"v":{inner}}},"required":["v"]}}"#)
    };
    let call = |arg: &str| format!(r#"{{"name":"f","args":{{"v":{arg}}}}}"#);
    let tool = tool(&parameters(&arrays(MANY)));

    let good = call(&array_value(MANY));
    let checked = tool.check_call_document(&Document::json(good.as_bytes(), &unlimited()));
    assert!(checked.value.is_some());
    let by_value = FunctionCall::from_json_within(&good, &unlimited()).unwrap();
    assert!(tool.check_call(&by_value).is_ok());
    assert!(by_value == by_value.clone());

    // One level too few: the mistake is at the bottom, and so are its pointers.
    let bad = call(&array_value(MANY - 1));
    let checked = tool.check_call_document(&Document::json(bad.as_bytes(), &unlimited()));
    assert_eq!(codes(&checked.violations), ["value-type"]);
    let violation = checked.violations.iter().next().unwrap();
    assert_eq!(violation.pointer().tokens().len(), MANY + 1);
    assert_eq!(violation.schema_pointer().unwrap().tokens().len(), MANY + 2);
    assert!(violation.to_string().len() < 1_000, "{violation}");
}

#[test]
fn a_deep_schema_that_is_wrong_at_every_level() {
    let open = r#"{"type":"array","items":"#.repeat(MANY);
    let text = format!("{open}null{}", "}".repeat(MANY));
    let checked = Schema::check(&Document::json(text.as_bytes(), &unlimited()));
    assert_capped(&checked.violations, MANY + 1);
}

/// Missing keys are found where an object ends, so the innermost come first.
#[test]
fn deep_arguments_that_are_wrong_at_every_level() {
    let levels = MANY / 2;
    let tool = tool(&objects(levels).replace(r#""required":["a"]"#, r#""required":[]"#));
    let open = r#"{"b":1,"a":"#.repeat(levels);
    let call = format!(r#"{{"name":"f","args":{open}1{}}}"#, "}".repeat(levels));
    let document = Document::json(call.as_bytes(), &unlimited());
    assert_capped(&tool.check_call_document(&document).violations, levels + 1);

    let tool = super::tool(&wanting(levels));
    let open = r#"{"a":"#.repeat(levels);
    let call = format!(r#"{{"name":"f","args":{open}"x"{}}}"#, "}".repeat(levels));
    let document = Document::json(call.as_bytes(), &unlimited());
    assert_capped(&tool.check_call_document(&document).violations, levels);
}

/// Objects in objects, each of which requires a key `b` besides.
fn wanting(levels: usize) -> String {
    let open = r#"{"type":"OBJECT","required":["b"],"properties":{"b":{"type":"STRING"},"a":"#;
    format!(
        r#"{}{{"type":"STRING"}}{}"#,
        open.repeat(levels),
        "}}".repeat(levels)
    )
}

#[test]
fn a_text_that_ends_deep_inside() {
    let document = Document::json("[{\"a\":".repeat(MANY).as_bytes(), &unlimited());
    assert!(document.root().is_none());
    assert_eq!(codes(&document.violations()), ["json-syntax"]);
    let pointer_of = |document: &Document| {
        let violations = document.violations();
        violations.iter().next().unwrap().pointer().tokens().len()
    };
    // Inside of all arrays and all objects but the last member, which has no value yet.
    assert_eq!(pointer_of(&document), 2 * MANY - 1);
    let limited = Document::json("[".repeat(MANY).as_bytes(), &Limits::default());
    assert_eq!(pointer_of(&limited), 127);
}
