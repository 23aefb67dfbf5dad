//! Arguments in the words that the model was shown.

use super::{export, value};
use toolpact_core::dialect::{Dialect, ToolCall};
use toolpact_core::model::FunctionCall;

const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: find
    description: Finds things.
    parameters:
      type: object
      properties:
        text: { type: string }
        limit: { type: integer }
        "sort by": { type: string }
      required: [text]
      additionalProperties: false
"#;

#[test]
fn null_is_absent_where_nothing_can_be() {
    let tools = export(Dialect::OpenAiStrict, TOOLS);
    let sent = value(
        r#"{"type":"function_call","call_id":"c","name":"find","arguments":"{\"text\":\"a\",\"limit\":null,\"sort by\":null}"}"#,
    );
    let call = Dialect::OpenAiStrict
        .read_call(&sent, Some(&tools))
        .unwrap();
    assert_eq!(call.call.args().text(), r#"{"text":"a"}"#);
    let written = Dialect::OpenAiStrict.write_call(&call, Some(&tools));
    assert_eq!(written, sent);
    // Without knowing the tool, null is null.
    let call = Dialect::OpenAiStrict.read_call(&sent, None).unwrap();
    assert_eq!(call.call.args().root().members().count(), 3);
}

#[test]
fn keys_have_their_own_names() {
    let tools = export(Dialect::Anthropic, TOOLS);
    let call = FunctionCall::builder("find")
        .arg("sort by", "age")
        .build()
        .unwrap();
    let written = Dialect::Anthropic.write_call(&ToolCall::from(call.clone()), Some(&tools));
    let input = written.root().get("input").unwrap();
    let (key, _) = input.members().next().unwrap();
    assert!(key.starts_with("sort_by_"), "{key}");
    let read = Dialect::Anthropic
        .read_call(&written, Some(&tools))
        .unwrap();
    assert_eq!(read.call, call);
}

/// Somebody else says that there is no such tool.
#[test]
fn unknown_tools_are_kept() {
    let tools = export(Dialect::OpenAiStrict, TOOLS);
    let sent = value(r#"{"name":"fnd","arguments":"{\"text\":null}"}"#);
    let call = Dialect::OpenAiStrict
        .read_call(&sent, Some(&tools))
        .unwrap();
    assert_eq!(
        call.call.to_json(),
        r#"{"name":"fnd","args":{"text":null}}"#
    );
}
