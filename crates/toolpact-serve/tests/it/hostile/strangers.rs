//! Those who may not ask.

use serde_json::json;

use super::{DOORS, answer, goes_on, mcp_headers, mcp_message};
use crate::support::Running;

/// What a door says to a call with these headers.
async fn knock(server: &Running, door: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let args = json!({"text": "hi"});
    let mut request = server.client.post(server.url(door));
    if door == "/mcp" {
        for (name, value) in mcp_headers("echo") {
            request = request.header(name, value);
        }
        request = request.body(mcp_message("echo", &args).to_string());
    } else {
        request = request.body(json!({"name": "echo", "args": args}).to_string());
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let (status, said) = answer(request).await;
    (status, said.to_string())
}

#[tokio::test]
async fn tokens_that_are_wrong() {
    let server = Running::with("auth_token: { literal: s3cret-token }").await;
    let right = ("authorization", "Bearer s3cret-token");
    for door in DOORS {
        for shown in [
            "Bearer wrong",
            "Bearer s3cret-toke",
            "Bearer s3cret-token2",
            "Bearer S3CRET-TOKEN",
            "Bearer s3cret-token, Bearer s3cret-token",
            "Bearer",
            "Bearer ",
            "Basic s3cret-token",
            "s3cret-token",
            "",
        ] {
            let (status, said) = knock(&server, door, &[("authorization", shown)]).await;
            assert_eq!(status, 401, "{door} {shown}: {said}");
            assert!(!said.contains("s3cret"), "{door} {shown}: {said}");
        }
        // Two of them, none of them, and one where it does not belong.
        for headers in [
            &[right, ("authorization", "Bearer wrong")][..],
            &[],
            &[("x-token", "s3cret-token")],
        ] {
            let (status, said) = knock(&server, door, headers).await;
            assert_eq!(status, 401, "{door} {headers:?}: {said}");
        }
        let asked = format!("{door}?token=s3cret-token&access_token=s3cret-token");
        assert_eq!(knock(&server, &asked, &[]).await.0, 401);
    }
    // Nobody has called anything.
    let metrics = server.client.get(server.url("/v1/metrics"));
    let (_, metrics) = answer(metrics.bearer_auth("s3cret-token")).await;
    let none = r#"toolpact_calls_total{tool="echo",outcome="SUCCESS"} 0"#;
    assert!(metrics.as_str().unwrap().contains(none), "{metrics}");
    for door in DOORS {
        let (status, said) = knock(&server, door, &[right]).await;
        assert_eq!(status, 200, "{door}: {said}");
    }
}

#[tokio::test]
async fn origins_and_hosts_that_are_wrong() {
    let server = Running::with(
        "allowed_origins: [https://app.example.com]\nallowed_hosts: [tools.example.com]",
    )
    .await;
    for door in DOORS {
        for (name, value) in [
            ("origin", "https://evil.example"),
            ("origin", "http://app.example.com"),
            ("origin", "https://app.example.com.evil.example"),
            ("origin", "https://app.example.com:8443"),
            ("origin", "http://localhost.evil.example"),
            ("origin", "http://localhost@evil.example"),
            ("origin", "null"),
            ("origin", "file://"),
            ("origin", ""),
            ("host", "evil.example"),
            ("host", "127.0.0.1.evil.example"),
            ("host", "localhost.evil.example:7878"),
            ("host", "tools.example.com.evil.example"),
            ("host", "localhost@evil.example"),
            ("host", "evil.example#localhost"),
            ("host", ""),
        ] {
            let (status, said) = knock(&server, door, &[(name, value)]).await;
            assert!(
                matches!(status, 400 | 403),
                "{door} {name} {value}: {status} {said}"
            );
        }
        for (name, value) in [
            ("origin", "https://app.example.com"),
            ("host", "tools.example.com"),
        ] {
            let (status, said) = knock(&server, door, &[(name, value)]).await;
            assert_eq!(status, 200, "{door} {name} {value}: {said}");
        }
        let twice = [
            ("origin", "https://app.example.com"),
            ("origin", "https://evil.example"),
        ];
        assert_eq!(knock(&server, door, &twice).await.0, 400);
        goes_on(&server).await;
    }
}
