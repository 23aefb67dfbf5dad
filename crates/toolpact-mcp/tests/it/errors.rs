//! Requests that no tool can answer.

use crate::support::{Client, echo, modern, server};
use serde_json::json;

#[tokio::test]
async fn what_is_not_there_or_malformed() {
    let server = server([echo()]);
    let mut client = Client::begun(&server, "2025-11-25").await;
    let cases = [
        (
            "tools/call",
            json!({"name": "ecko", "arguments": {}}),
            -32602,
            "Did you mean `echo`?",
        ),
        ("tools/call", json!({"name": 5}), -32602, "the text `name`"),
        (
            "tools/call",
            json!({"name": "echo", "arguments": []}),
            -32602,
            "the object `arguments`",
        ),
        (
            "tools/list",
            json!({"cursor": "1.0"}),
            -32602,
            "list them again",
        ),
        (
            "tools/list",
            json!({"cursor": "x"}),
            -32602,
            "list them again",
        ),
        (
            "tools/list",
            json!({"cursor": 5}),
            -32602,
            "the text `nextCursor`",
        ),
        (
            "tools/list",
            json!({"_meta": {"toolpact/view": "all"}}),
            -32602,
            "`text`, `structure` or `both`",
        ),
        ("prompts/list", json!({}), -32601, "prompts/list"),
        ("prompts/get", json!({"name": "x"}), -32601, "prompts/get"),
        ("resources/list", json!({}), -32601, "resources/list"),
        (
            "resources/templates/list",
            json!({}),
            -32601,
            "resources/templates/list",
        ),
        (
            "resources/read",
            json!({"uri": "x:y"}),
            -32601,
            "resources/read",
        ),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}}),
            -32601,
            "completion/complete",
        ),
        (
            "logging/setLevel",
            json!({"level": "loud"}),
            -32602,
            "`level` is `debug`",
        ),
        ("nothing/like/it", json!({}), -32601, "nothing/like/it"),
    ];
    for (method, params, code, part) in cases {
        let answer = client.ask(method, params.clone()).await;
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(part), "{method} {params}: {message}");
    }
}

/// What is wrong with arguments is for the model, which can put it right.
#[tokio::test]
async fn arguments_are_checked() {
    let server = server([echo()]);
    let mut client = Client::begun(&server, "2025-11-25").await;
    for (arguments, part) in [
        (json!({}), "`text`"),
        (json!({"text": 5}), "string"),
        (json!({"text": "hi", "more": 1}), "more"),
    ] {
        let answer = client.call("echo", arguments).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(part), "{text}");
    }
}

/// Lines that are no messages are answered, and the next one is read.
#[tokio::test]
async fn lines_that_are_no_messages() {
    let server = server([echo()]);
    let mut client = Client::begun(&server, "2025-11-25").await;
    let twice = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a","text":"b"}}}"#;
    let deep = "[".repeat(100_000);
    for (line, code, part) in [
        ("{", -32700, "expected a message in JSON"),
        (&*deep, -32700, "expected a message in JSON"),
        (twice, -32700, "text"),
        (
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#,
            -32700,
            "id",
        ),
        ("[]", -32600, "no batches"),
        ("5", -32600, "an object"),
        (r#"{"id": 1, "method": "ping"}"#, -32600, "`jsonrpc`"),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#,
            -32600,
            "`id`",
        ),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, -32600, "`id`"),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600, "`method`"),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600, "`method`"),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"x","params":[]}"#,
            -32602,
            "`params`",
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": 5}"#,
            -32602,
            "`params`",
        ),
    ] {
        client.send_line(line).await;
        let answer = client.read().await;
        assert_eq!(answer["error"]["code"], code, "{line:.60}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(part), "{line:.60}: {message}");
    }
    client.send_line(&"x".repeat(5 << 20)).await;
    let answer = client.read().await;
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    client.send_line("").await;
    let answer = client.call("echo", json!({"text": "still here"})).await;
    assert_eq!(answer["result"]["structuredContent"]["text"], "still here");
}

/// Each kind of message is what it is: of these, only requests are answered, by their names.
#[tokio::test]
async fn only_requests_are_answered() {
    let server = server([echo()]);
    let mut client = Client::begun(&server, "2025-11-25").await;
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":"r","method":"initialize","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":"s","method":"x/y"}"#,
    ] {
        client.send_line(line).await;
    }
    let initialize = client.read().await;
    assert_eq!(initialize["id"], "r", "{initialize}");
    assert_eq!(initialize["error"]["code"], -32602, "{initialize}");
    let other = client.read().await;
    assert_eq!(other["id"], "s", "{other}");
    assert_eq!(other["error"]["message"], "x/y", "{other}");
}

#[tokio::test]
async fn versions_that_nobody_speaks() {
    let server = server([echo()]);
    let mut client = Client::silent(&server);
    let about = json!({"name": "x", "version": "1"});
    let params = json!({"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": about});
    let begun = client.ask("initialize", params).await;
    assert_eq!(begun["result"]["protocolVersion"], "2025-11-25");

    let mut client = Client::silent(&server);
    let mut meta = modern();
    meta["io.modelcontextprotocol/protocolVersion"] = "2099-01-01".into();
    let answer = client.ask("tools/list", json!({"_meta": meta})).await;
    let supported = &answer["error"]["data"]["supported"];
    assert_eq!(
        *supported,
        json!(["2025-06-18", "2025-11-25", "2026-07-28"]),
        "{answer}"
    );
}
