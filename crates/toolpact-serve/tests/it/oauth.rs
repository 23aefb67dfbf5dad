//! What OAuth clients are told: where to get a token, and what it has to be good for.

use reqwest::{Method, Response};
use serde_json::{Value as Json, json};
use toolpact_identity::{NewToken, TokenFile};

use crate::support::{Running, TOOLS};

const CONFIG: &str = "
identity:
  tokens: tokens.json
  jwt: [{ issuer: 'https://login.example.com', algorithms: [ES256], jwks: { file: keys.json } }]
  oauth:
    resource: https://tools.example.com/mcp
    scopes: { echo: [speak], 'li*': [lie, speak] }
sources:
  - files: { paths: [tools.yaml] }
";

/// The public key of an example in RFC 7517.
pub(crate) const KEYS: &str = r#"{"keys": [{"kty": "EC", "crv": "P-256", "kid": "1",
    "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
    "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}"#;

const METADATA: &str =
    "resource_metadata=\"https://tools.example.com/.well-known/oauth-protected-resource/mcp\"";

/// A server, and tokens without scopes and with one.
async fn server() -> (Running, String, String) {
    let server = Running::of(CONFIG, &[("tools.yaml", TOOLS), ("keys.json", KEYS)]).await;
    let file = TokenFile::at(server.file("tokens.json"));
    let add = |name: &str, scopes: &[&str]| {
        let new = NewToken {
            name: name.to_owned(),
            scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(),
            ..NewToken::default()
        };
        file.add(new).unwrap()
    };
    let tokens = (add("mute", &[]), add("speaker", &["speak"]));
    let known = || async {
        let request = server.client.get(server.url("/v1/health"));
        let answer = request.bearer_auth(&tokens.1).send().await.unwrap();
        answer.status() == 200
    };
    while !known().await {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let (mute, speaker) = tokens;
    (server, mute, speaker)
}

fn challenge(response: &Response) -> &str {
    let challenge = response.headers().get("www-authenticate");
    challenge.map_or("", |challenge| challenge.to_str().unwrap())
}

#[tokio::test]
async fn who_has_no_token_is_told_where_to_get_one() {
    let (server, ..) = server().await;
    for path in ["", "/mcp"] {
        let path = format!("/.well-known/oauth-protected-resource{path}");
        let (status, document) = server.get(&path).await;
        assert_eq!(status, 200, "{path}");
        let expected = json!({
            "resource": "https://tools.example.com/mcp",
            "authorization_servers": ["https://login.example.com"],
            "bearer_methods_supported": ["header"],
            "scopes_supported": ["lie", "speak"],
        });
        assert_eq!(document, expected);
    }
    for (method, path) in [
        (Method::GET, "/v1/contracts"),
        (Method::POST, "/mcp"),
        (Method::GET, "/"),
        (Method::GET, "/.well-known/other"),
        (Method::GET, "/.well-known/oauth-protected-resource/other"),
    ] {
        let ask = || server.client.request(method.clone(), server.url(path));
        let refused = ask().send().await.unwrap();
        assert_eq!(refused.status(), 401, "{path}");
        assert_eq!(challenge(&refused), format!("Bearer {METADATA}"));
        let refused = ask().bearer_auth("guess").send().await.unwrap();
        assert_eq!(refused.status(), 401, "{path}");
        assert_eq!(
            challenge(&refused),
            format!("Bearer error=\"invalid_token\", {METADATA}")
        );
    }
}

#[tokio::test]
async fn a_tool_needs_its_scopes_in_every_way() {
    let (server, mute, speaker) = server().await;
    let post = |token: &str, path: &str, body: Json| {
        let request = server.client.post(server.url(path)).bearer_auth(token);
        let request = request
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json");
        let request = match path {
            "/mcp" => request
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", "tools/call")
                .header("mcp-name", "echo"),
            _ => request,
        };
        request.body(body.to_string()).send()
    };
    let args = json!({"text": "hi"});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "echo", "arguments": args, "_meta": meta});
    let ways = [
        ("/v1/call", json!({"name": "echo", "args": args})),
        ("/v1/tools/echo", args.clone()),
        (
            "/mcp",
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}),
        ),
    ];
    for (path, body) in ways {
        let refused = post(&mute, path, body.clone()).await.unwrap();
        assert_eq!(refused.status(), 403, "{path}");
        let expected = format!("Bearer error=\"insufficient_scope\", scope=\"speak\", {METADATA}");
        assert_eq!(challenge(&refused), expected, "{path}");
        let called = post(&speaker, path, body).await.unwrap();
        assert_eq!(called.status(), 200, "{path}");
        assert!(called.text().await.unwrap().contains("hi"), "{path}");
    }
    // A call that the caller runs itself is a call.
    let body = json!({"name": "echo", "args": args});
    let refused = post(&mute, "/v1/authorizations", body.clone())
        .await
        .unwrap();
    assert_eq!(refused.status(), 403);
    let expected = format!("Bearer error=\"insufficient_scope\", scope=\"speak\", {METADATA}");
    assert_eq!(challenge(&refused), expected);
    let said = refused.text().await.unwrap();
    assert!(!said.contains("authorization\":"), "{said}");
    let allowed = post(&speaker, "/v1/authorizations", body).await.unwrap();
    assert_eq!(allowed.status(), 201);
    // Of several calls, only those fail that may not be made.
    let calls = json!([{"name": "echo", "args": args}, {"name": "liar"}, {"name": "sleepy"}]);
    for (token, expected) in [
        (&mute, [true, true, false]),
        (&speaker, [false, true, false]),
    ] {
        let body = json!({"calls": calls});
        let text = post(token, "/v1/batch", body)
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        let results: Json = serde_json::from_str(&text).unwrap();
        let results = results["results"].as_array().unwrap();
        let is_denied = |result: &Json| result.to_string().contains("FORBIDDEN_ACCESS");
        let denied: Vec<bool> = results.iter().map(is_denied).collect();
        assert_eq!(denied, expected, "{text}");
        let plan = json!({"steps": [{"id": "a", "tool": "echo", "args": args}]});
        let text = post(token, "/v1/plan", plan)
            .await
            .unwrap()
            .text()
            .await
            .unwrap();
        assert_eq!(text.contains("FORBIDDEN_ACCESS"), expected[0], "{text}");
    }
}
