//! Each route.

use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::support::Running;

#[tokio::test]
async fn contracts_are_told_without_how_they_are_run() {
    let server = Running::with("").await;
    assert_eq!(server.names().await, ["echo", "liar", "sleepy"]);
    let (status, echo) = server.get("/v1/contracts/echo").await;
    assert_eq!((status, &echo["contract"]["name"]), (200, &json!("echo")));
    assert!(echo["digest"].as_str().is_some());
    assert!(echo["contract"].get("run").is_none());
    let (status, export) = server.get("/v1/exports/contract").await;
    assert_eq!(status, 200);
    assert!(!export.to_string().contains("sleep 1"));
    let (status, error) = server.get("/v1/contracts/nothing").await;
    assert_eq!(
        (status, &error["code"]),
        (404, &json!("NOT_FOUND_RESOURCE"))
    );
}

#[tokio::test]
async fn calls_are_held_to_their_contracts() {
    let server = Running::with("").await;
    let (status, result) = server.call("echo", json!({"text": "hi"})).await;
    assert_eq!((status, result), (200, json!({"text": "hi"})));
    let (status, error) = server.call("echo", json!({"text": 5})).await;
    assert_eq!((status, &error["code"]), (400, &json!("VALIDATION_FORMAT")));
    let (status, error) = server.call("liar", json!({})).await;
    assert_eq!((status, &error["code"]), (500, &json!("INTERNAL_CONTRACT")));
    assert!(!error.to_string().contains("no\": \"number"));
    let (status, _) = server.call("nothing", json!({})).await;
    assert_eq!(status, 404);
    let (status, result) = server.post("/v1/tools/echo", &json!({"text": "hi"})).await;
    assert_eq!((status, result), (200, json!({"text": "hi"})));
}

#[tokio::test]
async fn views() {
    let server = Running::with("").await;
    let view = async |view: &str| {
        let call = json!({"name": "echo", "args": {"text": "hi"}, "view": view});
        server.post("/v1/call", &call).await
    };
    assert_eq!(view("text").await, (200, json!("text: hi")));
    assert_eq!(view("adm").await.1["status"], "SUCCESS");
    assert_eq!(view("mcp").await.1["structuredContent"]["text"], "hi");
    let (status, error) = view("nothing").await;
    assert_eq!(status, 400);
    let message = error["message"].as_str().unwrap();
    let expected = "at /view: expected one of `text`, `json`";
    assert!(message.contains(expected), "{message}");
}

#[tokio::test]
async fn what_is_no_call_is_refused() {
    let server = Running::with("").await;
    for body in [
        "",
        "[]",
        "{",
        r#"{"name": 5}"#,
        r#"{"name": "echo", "agrs": {}}"#,
        r#"{"name": "echo", "name": "liar"}"#,
        r#"{"name": "echo", "timeout_ms": 0}"#,
        r#"{"name": "echo", "timeout_ms": -1}"#,
        r#"{"name": "echo", "repair": "yes"}"#,
    ] {
        let (status, text) = server.ask(Method::POST, "/v1/call", body).await;
        assert_eq!(status, 400, "{body}: {text}");
        assert!(text.contains("\"message\""), "{body}: {text}");
    }
}

#[tokio::test]
async fn batches() {
    let server = Running::with("limits: { batch: 2 }").await;
    let echo = |text: &str| json!({"name": "echo", "args": {"text": text}});
    let (status, answer) = server
        .post(
            "/v1/batch",
            &json!({"calls": [echo("a"), {"name": "liar"}]}),
        )
        .await;
    assert_eq!(status, 200);
    assert_eq!(answer["results"][0], json!({"result": {"text": "a"}}));
    assert_eq!(answer["results"][1]["error"]["code"], "INTERNAL_CONTRACT");
    let three = json!({"calls": [echo("a"), echo("b"), echo("c")]});
    assert_eq!(server.post("/v1/batch", &three).await.0, 400);
}

/// What a batch returns counts together: here, a result of 100 kB has place and a second one has not.
#[tokio::test]
async fn results_that_are_not_sent_are_bounded_together() {
    let server = Running::with("limits: { results_bytes: 150000 }").await;
    let large = json!({"name": "echo", "args": {"text": "x".repeat(100_000)}});
    let calls: Vec<_> = (0..10).map(|_| large.clone()).collect();
    for _ in 0..3 {
        let (status, answer) = server.post("/v1/batch", &json!({"calls": calls})).await;
        assert_eq!(status, 200);
        let results = answer["results"].as_array().unwrap();
        let code = |result: &&Json| result["error"]["code"] == "RATE_LIMIT_CONCURRENCY";
        assert_eq!(results.iter().filter(code).count(), 8);
    }
    let (status, _) = server.post("/v1/call", &large).await;
    assert_eq!(status, 200, "the memory is free again");
}

/// Whatever is wrong with an address, the answer is an error as everywhere.
#[tokio::test]
async fn addresses_that_make_no_sense_are_answered_in_json() {
    let server = Running::with("").await;
    for path in [
        "/v1/contracts/%ff",
        "/v1/exports/%ff",
        "/v1/sessions/%ff",
        "/v1/stubs?lang=python&lang=typescript",
        "/v1/stubs?lang=%ff",
        "/v1/results/%ff?session=1",
        "/v1/results/1?session=1&from=x",
        "/v1/results/1?session=1&session=2",
        "/%ff",
    ] {
        let response = server.client.get(server.url(path)).send().await.unwrap();
        let status = response.status();
        assert!(status.is_client_error(), "{path} {status}");
        let kind = response.headers()["content-type"].clone();
        let text = response.text().await.unwrap();
        assert_eq!(kind, "application/json", "{path}: {text}");
        let error: Json = serde_json::from_str(&text).unwrap();
        assert!(error["code"].is_string(), "{path}: {error}");
    }
}

#[tokio::test]
async fn validation_does_nothing() {
    let server = Running::with("").await;
    let validate = async |body| server.post("/v1/validate", &body).await;
    let (status, fine) = validate(json!({"name": "echo", "args": {"text": "a"}})).await;
    assert_eq!(
        (status, fine),
        (200, json!({"valid": true, "violations": []}))
    );
    let (_, wrong) = validate(json!({"name": "echo", "args": {}})).await;
    assert_eq!(wrong["valid"], false);
    assert_eq!(wrong["violations"][0]["rule"], "value-missing-key");
    // A call that is refused says the same, in the same words.
    for args in [
        json!({}),
        json!({"text": 5}),
        json!({"text": ["a"], "more": {}}),
    ] {
        let (_, looked) = validate(json!({"name": "echo", "args": args})).await;
        let (_, called) = server.call("echo", args).await;
        assert_eq!(looked["violations"], called["details"]["violations"]);
    }
    let (_, wrong) = validate(json!({"name": "liar", "result": "x"})).await;
    assert_eq!(wrong["valid"], false);
    assert_eq!(validate(json!({"name": "echo"})).await.0, 400);
    let (_, metrics) = server.get("/v1/metrics").await;
    assert!(
        metrics
            .as_str()
            .unwrap()
            .contains(r#"toolpact_calls_total{tool="echo",outcome="SUCCESS"} 0"#)
    );
}

#[tokio::test]
async fn sessions_keep_what_was_cut() {
    let server = Running::with("").await;
    let (status, opened) = server.post("/v1/sessions", &json!({})).await;
    assert_eq!(status, 201);
    let id = opened["session"].as_str().unwrap();
    let long = "word ".repeat(10_000);
    let call = json!({"name": "echo", "args": {"text": long}, "view": "text", "session": id});
    let (_, text) = server.post("/v1/call", &call).await;
    assert!(text.as_str().unwrap().contains("result_1"), "{text}");
    let (status, page) = server
        .get(&format!("/v1/results/result_1?session={id}&from=10"))
        .await;
    assert_eq!(status, 200);
    assert!(page["total"].as_u64().unwrap() > 10_000, "{page}");
    assert_eq!(server.get("/v1/results/result_1").await.0, 400);
    assert_eq!(
        server.get("/v1/results/result_1?session=guess").await.0,
        404
    );
    assert_eq!(
        server
            .get(&format!("/v1/results/result_9?session={id}"))
            .await
            .0,
        404
    );
    let (status, _) = server
        .ask(Method::DELETE, &format!("/v1/sessions/{id}"), "")
        .await;
    assert_eq!(status, 204);
    assert_eq!(server.post("/v1/call", &call).await.0, 404);
}

#[tokio::test]
async fn the_words_of_others() {
    let server = Running::with("").await;
    let (status, stubs) = server.get("/v1/stubs?lang=python").await;
    assert_eq!(status, 200);
    assert!(stubs.as_str().unwrap().contains("def echo("));
    assert_eq!(server.get("/v1/stubs?lang=cobol").await.0, 400);
    let (status, mcp) = server.get("/v1/exports/mcp").await;
    assert_eq!(status, 200);
    assert!(mcp.to_string().contains("inputSchema"));
    assert_eq!(server.get("/v1/exports/cobol").await.0, 404);
}

#[tokio::test]
async fn the_document_tells_of_every_route() {
    let server = Running::with("").await;
    let (status, document) = server.get("/v1/openapi.json").await;
    assert_eq!((status, &document["openapi"]), (200, &json!("3.1.0")));
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.contains_key("/tools/echo"));
    for (path, item) in paths {
        let path = format!("/v1{path}");
        for method in item.as_object().unwrap().keys() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let (status, text) = server.ask(method.clone(), &path, "").await;
            assert_ne!(status, 405, "{method} {path}");
            assert!(!text.contains("No such route"), "{method} {path}");
        }
    }
    assert_eq!(server.get("/v1/nothing").await.0, 404);
    assert_eq!(server.get("/v1/call").await.0, 405);
    let body = &paths["/call"]["post"]["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(body["required"], json!(["name"]));
    assert_eq!(body["additionalProperties"], json!(false));
    let args = json!({"description": "The arguments: an object."});
    assert_eq!(body["properties"]["args"], args);
    let time = json!({"type": "integer", "minimum": 1});
    assert_eq!(body["properties"]["timeout_ms"], time);
    let from = json!({"name": "from", "in": "query", "required": false,
        "schema": {"type": "integer", "minimum": 0, "default": 0, "description": "The first character, from 0."}});
    let parameters = paths["/results/{handle}"]["get"]["parameters"].as_array();
    assert!(parameters.unwrap().contains(&from), "{parameters:?}");
    let opened = &paths["/sessions"]["post"]["responses"]["201"];
    assert!(opened.is_object(), "{opened}");
    assert!(!document["paths"]["/health"].to_string().contains("uint"));
    let page = &paths["/results/{handle}"]["get"]["responses"]["200"]["content"];
    let page = &page["application/json"]["schema"];
    assert_eq!(
        page["properties"]["next"]["type"],
        json!(["integer", "null"])
    );
    assert_eq!(page["required"], json!(["text", "next", "total"]));
}

/// What the document says of a body is what is checked, and every mistake has its place.
#[tokio::test]
async fn bodies_are_checked_against_their_schemas() {
    let server = Running::with("").await;
    for (path, body, places) in [
        (
            "/v1/call",
            json!({"name": 5, "view": "nothing", "agrs": {}}),
            &["/name", "/view", "agrs"][..],
        ),
        (
            "/v1/call",
            json!({"name": "echo", "id": null, "timeout_ms": 1.5}),
            &["/id", "/timeout_ms"],
        ),
        (
            "/v1/batch",
            json!({"calls": [{"name": "echo", "session": "a"}]}),
            &["/calls/0", "session"],
        ),
        ("/v1/batch", json!({"calls": {}}), &["/calls"]),
        ("/v1/validate", json!({"args": {}}), &["name"]),
    ] {
        let (status, error) = server.post(path, &body).await;
        assert_eq!(
            (status, &error["code"]),
            (400, &json!("VALIDATION_FORMAT")),
            "{error}"
        );
        let message = error["message"].as_str().unwrap();
        for place in places {
            assert!(message.contains(place), "{place}: {message}");
        }
    }
    let call = json!({"name": "echo", "args": {"text": "hi"}, "timeout_ms": 9000.0});
    assert_eq!(server.post("/v1/call", &call).await.0, 200);
    let null = json!({"name": "liar", "result": null});
    let (status, checked) = server.post("/v1/validate", &null).await;
    assert_eq!(
        (status, &checked["valid"]),
        (200, &json!(false)),
        "{checked}"
    );
}

/// Who has the wrong address is told the right one.
#[tokio::test]
async fn wrong_routes_name_the_right_ones() {
    let server = Running::with("").await;
    for (path, expected) in [
        ("/v1/tools", "`GET /v1/contracts` lists the tools"),
        ("/v1/tools/", "`GET /v1/contracts` lists the tools"),
        ("/metrics", "`/v1/metrics`"),
        ("/health", "`/v1/health`"),
        ("/healthz", "`/v1/health`"),
        ("/openapi.json", "`/v1/openapi.json`"),
        ("/sse", "`/mcp`"),
        ("/nothing", "No such route. "),
    ] {
        let (status, error) = server.get(path).await;
        assert_eq!(status, 404, "{path}");
        assert!(
            error["message"].as_str().unwrap().contains(expected),
            "{error}"
        );
    }
    let (status, error) = server.get("/v1/tools/echo").await;
    assert_eq!(status, 405);
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("Expected the method POST"), "{error}");
}

#[tokio::test]
async fn streams_end_with_the_result() {
    let server = Running::with("").await;
    let call = json!({"name": "echo", "args": {"text": "hi"}});
    let request = server
        .client
        .post(server.url("/v1/call"))
        .body(call.to_string());
    let response = request
        .header("accept", "text/event-stream")
        .send()
        .await
        .unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let text = response.text().await.unwrap();
    assert!(
        text.contains("event: result\nid: toolpact:end\ndata: {\"result\":{\"text\":\"hi\"}}"),
        "{text}"
    );
}

#[tokio::test]
async fn mcp_is_there_too() {
    let server = Running::with("").await;
    let upstream = toolpact_upstream::Upstream::http(server.url("/mcp"))
        .connect()
        .await
        .unwrap();
    assert_eq!(upstream.definitions().len(), 3);
}

#[tokio::test]
async fn streams_have_the_items_of_a_tool() {
    let server = Running::of("sources: [{ shop: { orders: 50 } }]", &[]).await;
    let call = json!({"name": "backup_database", "args": {}});
    let request = server
        .client
        .post(server.url("/v1/call"))
        .body(call.to_string());
    let request = request.header("accept", "text/event-stream");
    let text = request.send().await.unwrap().text().await.unwrap();
    let events: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("event: "))
        .collect();
    assert_eq!(events[..2], ["log", "item"], "{events:?}");
    assert!(
        text.contains(r#"data: {"level":"info","message":"backup-"#),
        "{text}"
    );
    assert_eq!(events.last(), Some(&"result"), "{events:?}");
}

#[tokio::test]
async fn without_a_policy_nobody_decides_about_calls() {
    let server = Running::with("").await;
    let (status, error) = server.get("/v1/approvals").await;
    assert_eq!((status, &error["code"]), (403, &json!("FORBIDDEN_ACCESS")));
    let approve = json!({"decision": "approve"});
    assert_eq!(server.post("/v1/approvals/1", &approve).await.0, 403);
    assert_eq!(server.post("/v1/approvals/1", &json!({})).await.0, 400);
    let (_, openapi) = server.get("/v1/openapi.json").await;
    let decide = &openapi["paths"]["/approvals/{id}"]["post"];
    assert_eq!(decide["operationId"], "decide_approval", "{openapi}");
}
