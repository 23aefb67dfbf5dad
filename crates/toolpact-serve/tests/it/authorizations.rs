//! Calls that clients run themselves, and sessions whose time is over.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::support::Running;

#[tokio::test]
async fn a_client_runs_a_tool_itself_and_the_server_allows_and_checks_it() {
    let server = Running::with("").await;
    let call = json!({"name": "echo", "args": {"text": "hello"}});
    let (status, allowed) = server.post("/v1/authorizations", &call).await;
    assert_eq!(status, 201, "{allowed}");
    assert_eq!(allowed["args"], json!({"text": "hello"}));
    assert!(
        allowed["within_ms"].as_u64().is_some_and(|ms| ms > 1000),
        "{allowed}"
    );
    let path = format!(
        "/v1/authorizations/{}",
        allowed["authorization"].as_str().unwrap()
    );
    let result = json!({"result": {"text": "made by the client"}});
    let (status, answer) = server.post(&path, &result).await;
    assert_eq!((status, &answer), (200, &result["result"]));
    // It is reported once.
    assert_eq!(server.post(&path, &result).await.0, 404);
    // It is counted as any call.
    let (_, metrics) = server.ask(Method::GET, "/v1/metrics", "").await;
    let counted = r#"toolpact_calls_total{tool="echo",outcome="SUCCESS"} 1"#;
    assert!(metrics.contains(counted), "{metrics}");
}

#[tokio::test]
async fn what_is_wrong_is_refused() {
    let server = Running::with("").await;
    let wrong = json!({"name": "echo", "args": {"text": 5}});
    let (status, answer) = server.post("/v1/authorizations", &wrong).await;
    assert_eq!(status, 400, "{answer}");
    let (status, _) = server
        .post("/v1/authorizations", &json!({"name": "no_such_tool"}))
        .await;
    assert_eq!(status, 404);
    // What a client says came of it has to keep to the contract.
    for (report, expected) in [
        (json!({"result": {"no": "text"}}), 500),
        (
            json!({"error": {"code": "NOT_FOUND_RESOURCE", "message": "It is gone."}}),
            404,
        ),
    ] {
        let call = json!({"name": "echo", "args": {"text": "hello"}});
        let (_, allowed) = server.post("/v1/authorizations", &call).await;
        let path = format!(
            "/v1/authorizations/{}",
            allowed["authorization"].as_str().unwrap()
        );
        for report in [json!({}), json!({"result": 1, "error": {}})] {
            assert_eq!(server.post(&path, &report).await.0, 400);
        }
        let (status, answer) = server.post(&path, &report).await;
        assert_eq!(status, expected, "{answer}");
    }
    // Nobody can report what is over.
    let short = json!({"name": "echo", "args": {"text": "hello"}, "timeout_ms": 1});
    let (status, allowed) = server.post("/v1/authorizations", &short).await;
    if status == 201 {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let path = format!(
            "/v1/authorizations/{}",
            allowed["authorization"].as_str().unwrap()
        );
        assert_eq!(
            server
                .post(&path, &json!({"result": {"text": "late"}}))
                .await
                .0,
            404
        );
    }
}

#[tokio::test]
async fn a_session_lives_as_long_as_was_asked_for() {
    let server = Running::with("").await;
    let (status, opened) = server.post("/v1/sessions?ttl_ms=400", &json!({})).await;
    assert_eq!((status, &opened["ttl_ms"]), (201, &json!(400)), "{opened}");
    let call = json!({"name": "sleepy", "session": opened["session"]});
    // What still runs ends then.
    let (status, answer) = server.post("/v1/call", &call).await;
    assert_eq!(
        (status, &answer["code"]),
        (504, &json!("INTERNAL_TIMEOUT")),
        "{answer}"
    );
    // It is forgotten, or still there with a program that is being ended.
    let (status, _) = server.post("/v1/call", &call).await;
    assert!([404, 499].contains(&status), "{status}");
    assert_eq!(
        server.post("/v1/sessions?ttl_ms=0", &json!({})).await.0,
        400
    );
}

#[tokio::test]
async fn a_session_can_be_closed_without_cancelling_its_calls() {
    let server = Running::with("").await;
    for (query, expected) in [("?force=false", 200), ("", 499)] {
        let (_, opened) = server.post("/v1/sessions", &json!({})).await;
        let call = json!({"name": "sleepy", "session": opened["session"]});
        let path = format!(
            "/v1/sessions/{}{query}",
            opened["session"].as_str().unwrap()
        );
        let close = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            server.ask(Method::DELETE, &path, "").await.0
        };
        let ((status, answer), closed) = tokio::join!(server.post("/v1/call", &call), close);
        assert_eq!((status, closed), (expected, 204), "{answer}");
    }
}
