//! Results as clients of each version get them.

use crate::support::{Client, json_value, modern, server, tool};
use serde_json::{Value as Json, json};
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::define::UntypedOutput;
use toolpact::{Context, Definition, ToolError};
use toolpact_mcp::Server;

const POINT: &str = r#"{"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": false}"#;

pub(crate) fn tools() -> Server {
    server([
        tool("point", POINT, || json_value(r#"{"x": 1}"#)),
        tool("list", r#"{"type": "array"}"#, || json_value("[1, 2]")),
        tool("words", r#""opaque""#, || {
            Ok(UntypedOutput::text("Only words."))
        }),
        tool("broken", POINT, || json_value(r#"{"x": "s3cret"}"#)),
        tool("strict", POINT, || {
            Err(ToolError::with_code("CONFLICT_STATE", "It is closed.")
                .with_detail("until", "noon"))
        }),
        tool("loose", "", || {
            Err(ToolError::not_found("It is not there."))
        }),
        tool("enveloped", r#""ObjectResult""#, || {
            Err(ToolError::not_found("It is not there."))
        }),
        tool("panics", POINT, || panic!("s3cret")),
        tool("blocks", "", || {
            json_value(r#"[{"type": "image", "data": "AA==", "mimeType": "image/png"}]"#)
        }),
    ])
}

const VERSIONS: [&str; 2] = ["2025-06-18", "2025-11-25"];

async fn results(name: &str) -> [Json; 3] {
    let server = tools();
    let [mut first, mut second] = [
        Client::begun(&server, VERSIONS[0]).await,
        Client::begun(&server, VERSIONS[1]).await,
    ];
    let mut third = Client::silent(&server);
    let params = json!({"name": name, "arguments": {}, "_meta": modern()});
    let answers = [
        first.call(name, json!({})).await,
        second.call(name, json!({})).await,
        third.ask("tools/call", params).await,
    ];
    answers.map(|mut answer| answer["result"].take())
}

#[tokio::test]
async fn objects() {
    for result in results("point").await {
        assert_eq!(result["structuredContent"], json!({"x": 1}));
        assert_eq!(result["content"], json!([{"type": "text", "text": "x: 1"}]));
        assert_eq!(result.get("isError"), None);
    }
}

/// Results that are no objects are wrapped before 2026-07-28, as the schema says.
#[tokio::test]
async fn other_roots() {
    let [first, second, third] = results("list").await;
    assert_eq!(first["structuredContent"], json!({"result": [1, 2]}));
    assert_eq!(second["structuredContent"], json!({"result": [1, 2]}));
    assert_eq!(third["structuredContent"], json!([1, 2]));
    assert_eq!(third["resultType"], "complete");
    assert_eq!(second.get("resultType"), None);
}

#[tokio::test]
async fn text() {
    for result in results("words").await {
        assert_eq!(result["content"][0]["text"], "Only words.");
        assert_eq!(result.get("structuredContent"), None);
    }
}

#[tokio::test]
async fn blocks_are_passed_on() {
    for result in results("blocks").await {
        let block = json!({"type": "image", "data": "AA==", "mimeType": "image/png"});
        assert_eq!(result["content"], json!([block]));
        assert_eq!(result.get("structuredContent"), None);
    }
}

/// Nothing of a result that breaks its contract reaches a client.
#[tokio::test]
async fn broken_contracts() {
    for name in ["broken", "panics"] {
        for result in results(name).await {
            assert_eq!(result["isError"], true);
            assert_eq!(result.get("structuredContent"), None);
            assert!(!result.to_string().contains("s3cret"), "{result}");
        }
    }
    let [result, ..] = results("broken").await;
    assert_eq!(
        result["_meta"]["toolpact/error"]["code"],
        "INTERNAL_CONTRACT"
    );
}

/// The error is in the structured content where the schema of the tool lets it be.
#[tokio::test]
async fn failures() {
    for result in results("strict").await {
        assert_eq!(result["isError"], true);
        assert_eq!(result.get("structuredContent"), None);
        let told = json!({"code": "CONFLICT_STATE", "message": "It is closed.", "details": {"until": "noon"}});
        assert_eq!(result["_meta"]["toolpact/error"], told);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("It is closed."), "{text}");
    }
    for name in ["loose", "enveloped"] {
        for result in results(name).await {
            let error = json!({"code": "NOT_FOUND_RESOURCE", "message": "It is not there."});
            assert_eq!(result["isError"], true);
            assert_eq!(
                result["structuredContent"],
                json!({"success": false, "error": error})
            );
            assert_eq!(result["_meta"]["toolpact/error"], error);
        }
    }
}

#[tokio::test]
async fn lists_say_what_results_keep() {
    let server = tools();
    let mut client = Client::begun(&server, "2025-11-25").await;
    let listed = client.ask("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(names[..3], ["point", "list", "words"]);
    assert_eq!(
        tools[0]["outputSchema"]["properties"]["x"],
        json!({"type": "integer"})
    );
    assert_eq!(
        tools[1]["outputSchema"]["properties"]["result"],
        json!({"type": "array"})
    );
    assert_eq!(tools[2].get("outputSchema"), None);
    let digest = tools[0]["_meta"]["toolpact/digest"].as_str().unwrap();
    assert_eq!(digest.len(), 64);
}

/// What is in no structure cannot be read later, so it is told whole.
#[tokio::test]
async fn a_long_text_is_cut_only_if_the_rest_is_in_the_structure() {
    let long = "word ".repeat(10_000);
    let text = long.clone();
    let opaque = tool("opaque", r#""opaque""#, move || {
        Ok(UntypedOutput::text(&text))
    });
    let text = long.clone();
    let typed = tool("typed", r#""StringValue""#, move || {
        Ok(Value::from(text.as_str()).into())
    });
    let server = server([opaque, typed]);
    for version in ["2025-06-18", "2025-11-25"] {
        let mut client = Client::begun(&server, version).await;
        let told = client.call("opaque", json!({})).await;
        let told = told["result"]["content"][0]["text"].as_str().unwrap().len();
        assert!(told >= long.trim().len(), "{version}: {told}");
        let told = client.call("typed", json!({})).await;
        assert!(told["result"]["structuredContent"].to_string().len() > long.trim().len());
        let params = json!({"name": "typed", "_meta": {"toolpact/view": "text"}});
        let told = client.ask("tools/call", params).await;
        let told = told["result"]["content"][0]["text"].as_str().unwrap().len();
        assert!(told >= long.trim().len(), "{version}: {told}");
    }
}

/// The library would make a float of it.
#[tokio::test]
async fn arguments_are_read_as_they_were_sent() {
    let contract = r#"{"name": "spelled", "description": "Spells it.", "parameters": {"type": "object"}, "returns": "opaque"}"#;
    let spelled = Definition::new(
        Contract::from_json(contract).unwrap(),
        async |args: Value, _: Context| Ok::<_, ToolError>(Value::from(args.text())),
    );
    let server = server([spelled]);
    let mut client = Client::begun(&server, "2025-11-25").await;
    let args = r#"{"n":123456789012345678901234567890}"#;
    let line = r#"{"jsonrpc":"2.0","id":"n","method":"tools/call","params":{"name":"spelled","arguments":ARGS}}"#;
    client.send_line(&line.replace("ARGS", args)).await;
    let answer = client.read().await;
    assert_eq!(answer["result"]["content"][0]["text"], args, "{answer}");
}
