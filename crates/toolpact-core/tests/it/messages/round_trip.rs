//! What is written can be read, and is the same.

use super::{ADM, find};
use crate::generate::wild;
use proptest::prelude::*;
use toolpact_core::dialect::{Answer, CallId, Dialect, ToolCall};
use toolpact_core::json::{Kind, Value};
use toolpact_core::model::{ErrorObject, FunctionCall, ToolResult};

fn dialect() -> impl Strategy<Value = Dialect> {
    proptest::sample::select(Dialect::ALL)
}

fn id() -> impl Strategy<Value = Option<CallId>> {
    proptest::option::of(any::<String>().prop_map(CallId::from))
}

/// Whether the dialect has a place for identifiers.
fn keeps_ids(dialect: Dialect) -> bool {
    !ADM.contains(&dialect)
}

proptest! {
    #[test]
    fn calls(
        dialect in dialect(),
        id in id(),
        name in "[a-zA-Z_][a-zA-Z0-9_-]{0,63}",
        args in proptest::collection::vec((any::<String>(), wild()), 0..4),
    ) {
        let mut builder = FunctionCall::builder(name);
        let mut seen = std::collections::HashSet::new();
        for (key, value) in args {
            if seen.insert(key.clone()) {
                builder = builder.arg(key, Value::from_json(value.to_text()).unwrap());
            }
        }
        let call = ToolCall { id, call: builder.build().unwrap() };
        let read = dialect.read_call(&dialect.write_call(&call, None), None).unwrap();
        prop_assert_eq!(&read.call, &call.call);
        prop_assert_eq!(read.call.args().text(), call.call.args().text());
        prop_assert_eq!(read.id, call.id.filter(|_| keeps_ids(dialect)));
    }

    #[test]
    fn successes(dialect in dialect(), id in id(), content in wild()) {
        let content = Value::from_json(content.to_text()).unwrap();
        // Only text, where a string and what it looks like are the same.
        let plain = content.root().as_str();
        let text_only = dialect.to_string().starts_with("openai") || dialect.to_string().starts_with("anthropic");
        let looks = plain.is_some_and(|text| Value::from_json(&*text).is_ok());
        prop_assume!(!(text_only && looks));
        // Structured content is an object, and a text is a string.
        let old = [Dialect::Mcp2025_11_25, Dialect::Mcp2025_06_18].contains(&dialect);
        prop_assume!(!old || [Kind::Object, Kind::String].contains(&content.kind()));
        let result = ToolResult::Success { name: find(), content };
        let answer = Answer { id, result, text: None };
        let written = dialect.write_result(&answer, None);
        let read = dialect.read_result(&written, Some(&find()), None).unwrap();
        prop_assert_eq!(read.result, answer.result);
        prop_assert_eq!(read.id, answer.id.filter(|_| keeps_ids(dialect)));
        prop_assert_eq!(read.text, None);
    }

    #[test]
    fn failures(
        dialect in dialect(),
        id in id(),
        message in any::<String>(),
        kind in proptest::option::of(any::<String>()),
    ) {
        let Ok(error) = ErrorObject::new(&message) else { return Ok(()) };
        let error = match kind {
            Some(kind) => error.with_type(&*kind),
            None => error,
        };
        let result = ToolResult::Error { name: find(), error };
        let answer = Answer { id, result, text: None };
        let written = dialect.write_result(&answer, None);
        let read = dialect.read_result(&written, Some(&find()), None).unwrap();
        prop_assert_eq!(read.result, answer.result);
        prop_assert_eq!(read.id, answer.id.filter(|_| keeps_ids(dialect)));
    }
}
