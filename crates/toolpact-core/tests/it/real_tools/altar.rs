//! Messages of ADM with `call_id`, which its specification asks for since August 2025.

use toolpact_core::dialect::Dialect;
use toolpact_core::json::Value;
use toolpact_core::model::{FunctionCall, ToolResult};

#[test]
fn a_call_and_a_result_may_have_an_identifier() {
    let call = r#"{"call_id": "c-1", "name": "get_weather", "args": {"city": "Oslo"}}"#;
    assert!(FunctionCall::from_json(call).is_ok());
    let read = Dialect::Adm
        .read_call(&Value::from_json(call).unwrap(), None)
        .unwrap();
    assert_eq!(read.id.unwrap().as_str(), "c-1");
    let result = r#"{"call_id": "c-1", "name": "get_weather", "status": "SUCCESS", "content": {"degrees": 3}}"#;
    assert!(ToolResult::from_json(result).is_ok());
    let read = Dialect::Adm
        .read_result(&Value::from_json(result).unwrap(), None, None)
        .unwrap();
    assert_eq!(read.id.unwrap().as_str(), "c-1");
    let wrong = FunctionCall::from_json(r#"{"call_id": 5, "name": "f", "args": {}}"#).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "1:13: error[wrong-type] at /call_id: expected `call_id` to be a string, found the number 5"
    );
}
