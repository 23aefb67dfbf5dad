//! Messages with calls and results, in the dialect that the first byte picks: none makes a reader
//! panic, and what is read survives being written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolpact_core::dialect::{Answer, CallId, Dialect, ToolCall};
use toolpact_core::json::Value;
use toolpact_core::model::{ToolName, ToolResult};
use toolpact_fuzz::limits;

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else {
        return;
    };
    let dialect = Dialect::ALL[usize::from(*first) % Dialect::ALL.len()];
    let Ok(message) = Value::from_json_within(text, &limits(data)) else {
        return;
    };
    match dialect.read_call(&message, None) {
        Ok(call) => Dialect::ALL
            .iter()
            .for_each(|other| check_call(*other, &call)),
        Err(violations) => assert!(violations.errors() > 0),
    }
    let name = ToolName::new("find").expect("a name");
    for name in [None, Some(&name)] {
        match dialect.read_result(&message, name, None) {
            Ok(answer) => check_result(dialect, &answer),
            Err(violations) => assert!(violations.errors() > 0),
        }
    }
});

fn check_call(dialect: Dialect, call: &ToolCall) {
    match dialect.read_call(&dialect.write_call(call, None), None) {
        Ok(again) => {
            assert_eq!(again.call.to_json(), call.call.to_json());
            check_id(again.id.as_ref(), call.id.as_ref());
        }
        // A text is read within the usual limits, whatever the message was read within.
        Err(violations) => assert!(violations.iter().any(|v| v.code() == "json-too-deep")),
    }
}

fn check_result(dialect: Dialect, answer: &Answer) {
    let written = dialect.write_result(answer, None);
    let again = dialect.read_result(&written, Some(answer.result.name()), None);
    let again = again.expect("what was written can be read");
    check_id(again.id.as_ref(), answer.id.as_ref());
    if can_say(dialect, &answer.result) {
        assert_eq!(again.result, answer.result);
        assert_eq!(again.text, answer.text);
    }
}

/// Whether a dialect can say it to someone who was told nothing about the tool.
fn can_say(dialect: Dialect, result: &ToolResult) -> bool {
    let ToolResult::Success { content, .. } = result else {
        return true;
    };
    match dialect {
        // A value that is no object has no place.
        Dialect::Mcp2025_11_25 | Dialect::Mcp2025_06_18 => false,
        // A string that looks like JSON is taken for it.
        Dialect::OpenAi
        | Dialect::OpenAiStrict
        | Dialect::OpenAiChat
        | Dialect::OpenAiChatStrict
        | Dialect::Anthropic
        | Dialect::AnthropicStrict => {
            let string = content.root().as_str();
            string.is_none_or(|text| Value::from_json(&*text).is_err())
        }
        _ => true,
    }
}

/// Some have no place for identifiers, and some only for strings.
fn check_id(again: Option<&CallId>, id: Option<&CallId>) {
    if let Some(again) = again {
        assert_eq!(Some(again.as_str()), id.map(CallId::as_str));
    }
}
