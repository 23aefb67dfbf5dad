//! Whatever comes, it is a list of violations or a message.

use super::{call, failure, find, success, value};
use toolpact_core::dialect::{Dialect, ToolCall};
use toolpact_core::json::{Limits, Value};
use toolpact_core::model::FunctionCall;

#[test]
fn anything_at_all() {
    let pieces = [
        "null",
        "true",
        "0",
        r#""""#,
        r#""x""#,
        r#""{}""#,
        r#""[]""#,
        r#""{\"error\":null}""#,
        "[]",
        "[[]]",
        "[null]",
        r#"[{"type":"text"}]"#,
        r#"[{"type":7,"text":[]}]"#,
        "{}",
        r#"{"":""}"#,
        r#"{"message":""}"#,
        r#"{"error":{"message":" "}}"#,
    ];
    let keys = [
        "name",
        "args",
        "arguments",
        "input",
        "id",
        "call_id",
        "type",
        "role",
        "method",
        "jsonrpc",
        "params",
        "result",
        "function",
        "functionCall",
        "functionResponse",
        "response",
        "content",
        "output",
        "error",
        "isError",
        "is_error",
        "structuredContent",
        "resultType",
        "_meta",
        "toolpact/error",
        "status",
    ];
    let mut messages: Vec<String> = pieces.iter().map(|&piece| piece.to_owned()).collect();
    for key in keys {
        for piece in pieces {
            messages.push(format!(r#"{{"{key}":{piece}}}"#));
            let rest = match key {
                "name" => r#""content":"""#.to_owned(),
                "content" => r#""name":"find""#.to_owned(),
                _ => format!(r#""name":"find","content":{piece}"#),
            };
            messages.push(format!(r#"{{"{key}":{piece},{rest}}}"#));
            messages.push(format!(
                r#"{{"function":{{"{key}":{piece}}},"result":{{"{key}":{piece}}}}}"#
            ));
        }
    }
    for message in messages {
        let message = value(&message);
        for &dialect in Dialect::ALL {
            let _ = dialect
                .read_call(&message, None)
                .map_err(|v| assert!(v.errors() > 0));
            for name in [None, Some(&find())] {
                let read = dialect.read_result(&message, name, None);
                let _ = read.map_err(|v| assert!(v.errors() > 0));
            }
        }
    }
}

#[test]
fn depth_costs_no_stack() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let limits = Limits::default().depth(usize::MAX);
    let json = format!(r#"{{"name":"find","args":{{"a":{deep}}}}}"#);
    let call = FunctionCall::from_json_within(json, &limits).unwrap();
    let content = Value::from_json_within(&deep, &limits).unwrap();
    for &dialect in Dialect::ALL {
        let message = dialect.write_call(&ToolCall::from(call.clone()), None);
        let text = dialect.to_string().starts_with("openai");
        match dialect.read_call(&message, None) {
            Ok(read) => assert_eq!(read.call.args().text(), call.args().text()),
            // A text is read within the usual limits.
            Err(v) => assert!(text && v.iter().any(|v| v.code() == "json-too-deep"), "{v}"),
        }
        let answer = super::Answer::from(toolpact_core::model::ToolResult::Success {
            name: find(),
            content: content.clone(),
        });
        let message = dialect.write_result(&answer, None);
        assert!(dialect.read_result(&message, Some(&find()), None).is_ok());
    }
}

/// A text of 128 levels is within the limits, wherever it is.
#[test]
fn usual_depths_come_back() {
    let deep = "[".repeat(127) + &"]".repeat(127);
    let call = FunctionCall::builder("find")
        .arg("a", value(&deep))
        .build()
        .unwrap();
    for &dialect in Dialect::ALL {
        let message = dialect.write_call(&ToolCall::from(call.clone()), None);
        assert_eq!(dialect.read_call(&message, None).unwrap().call, call);
    }
}

#[test]
fn numbers_keep_their_digits() {
    let numbers = "[9223372036854775807,9223372036854775808,-9223372036854775809,0.1000,-0,1E5]";
    let call = call("c", &format!(r#"{{"n":{numbers}}}"#));
    let answer = success(&format!(r#"{{"n":{numbers}}}"#));
    for &dialect in Dialect::ALL {
        let read = dialect
            .read_call(&dialect.write_call(&call, None), None)
            .unwrap();
        assert_eq!(
            read.call.args().text(),
            call.call.args().text(),
            "{dialect}"
        );
        let written = dialect.write_result(&answer, None);
        let read = dialect.read_result(&written, Some(&find()), None).unwrap();
        assert_eq!(read.result.to_json(), answer.result.to_json(), "{dialect}");
    }
}

#[test]
fn errors_tell_a_message_and_a_type() {
    let answer = failure(r#"{"message":"Gone","type":"X"}"#);
    for &dialect in Dialect::ALL {
        let written = dialect.write_result(&answer, None);
        let read = dialect.read_result(&written, Some(&find()), None).unwrap();
        assert_eq!(read, answer, "{dialect}");
    }
}
