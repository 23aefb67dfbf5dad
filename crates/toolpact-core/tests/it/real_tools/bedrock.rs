//! The tools and messages of Bedrock's Converse API.

use super::{contract, export};
use toolpact_core::dialect::{Answer, Dialect};
use toolpact_core::document::AnyDocument;
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::model::{ToolName, ToolResult};

const CONFIG: &str = r#"{"tools":[{"toolSpec":{"name":"top_song","description":"Finds the most popular song.","inputSchema":{"json":{"type":"object","properties":{"sign":{"type":"string"}},"required":["sign"]}}}}]}"#;

#[test]
fn a_tool_config_is_read_and_written() {
    let contract = contract(CONFIG);
    assert_eq!(
        export(Dialect::Bedrock, &contract),
        (CONFIG.to_owned(), Vec::new())
    );
    let request = format!(r#"{{"modelId": "m", "messages": [], "toolConfig": {CONFIG}}}"#);
    assert_eq!(super::contract(&request).digest(), contract.digest());
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let check = |text: &str| {
        let document = Document::json(text.as_bytes(), &Limits::default());
        AnyDocument::check_each(&document, None)
            .violations
            .to_string()
    };
    assert_eq!(
        check(&CONFIG.replace("\"string\"", "\"strin\"")),
        "1:155: error[json-schema-invalid] at /tools/0/toolSpec/inputSchema/json/properties/sign/type: expected a type of JSON Schema, which are `string`, `number`, `integer`, `boolean`, `object`, `array` and `null`, found `strin`; did you mean `string`?"
    );
    assert_eq!(
        check(&CONFIG.replace("top_song", "top.song")),
        "1:31: error[dialect-tool-name] at /tools/0/toolSpec/name: expected a name of 1 to 64 letters, digits, `_` and `-` for `bedrock`, found `top.song`; for example `top_song`"
    );
    assert_eq!(
        check(&CONFIG.replace("\"json\"", "\"jsn\"")),
        "1:23: error[missing-field] at /tools/0/toolSpec: expected `inputSchema.json`, the schema of the tool's arguments, found `inputSchema`, which is of another dialect; write `inputSchema.json` instead of `inputSchema`"
    );
}

#[test]
fn results_come_back() {
    let name = ToolName::new("top_song").unwrap();
    for result in [
        r#"{"name":"top_song","status":"SUCCESS","content":{"song":"Elemental Hotel"}}"#,
        r#"{"name":"top_song","status":"SUCCESS","content":[1,2]}"#,
        r#"{"name":"top_song","status":"SUCCESS","content":"Elemental Hotel"}"#,
        r#"{"name":"top_song","status":"ERROR","error":{"message":"No such station"}}"#,
    ] {
        let answer = Answer {
            id: Some("tooluse_1".into()),
            ..Answer::from(ToolResult::from_json(result).unwrap())
        };
        let written = Dialect::Bedrock.write_result(&answer, None);
        assert_eq!(Dialect::of_result(written.root()), Some(Dialect::Bedrock));
        let back = Dialect::Bedrock.read_result(&written, Some(&name), None);
        assert_eq!(back.unwrap(), answer, "{written}");
    }
}

#[test]
fn a_block_of_the_api_is_a_call() {
    let sent = r#"{"toolUse": {"toolUseId": "tooluse_hbTgdi0CSLq_hM4P8csZJA", "name": "top_song", "input": {"sign": "WZPZ"}}}"#;
    let sent = Value::from_json(sent).unwrap();
    assert_eq!(Dialect::of_call(sent.root()), Some(Dialect::Bedrock));
    let call = Dialect::Bedrock.read_call(&sent, None).unwrap();
    assert_eq!(call.call.args().text(), r#"{"sign": "WZPZ"}"#);
    assert_eq!(call.id.unwrap().as_str(), "tooluse_hbTgdi0CSLq_hM4P8csZJA");
}
