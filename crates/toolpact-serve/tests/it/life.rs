//! Sources that fail, configs that change, servers that end.

use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::support::{PATIENCE, Running, TOOLS};

#[tokio::test]
async fn a_source_that_fails_does_not_keep_the_others_from_serving() {
    let config = "
sources:
  - files: { paths: [tools.yaml] }
  - files: { name: later, paths: [later.yaml] }
  - mcp: { name: gone, command: [toolpact-no-such-program] }
";
    let server = Running::of(config, &[("tools.yaml", TOOLS)]).await;
    assert_eq!(server.call("echo", json!({"text": "a"})).await.0, 200);
    let (status, health) = server.get("/v1/health").await;
    assert_eq!((status, &health["status"]), (200, &json!("degraded")));
    assert_eq!(health["sources"][0]["state"], "ready");
    assert_eq!(health["sources"][1]["state"], "failing");
    assert_eq!(health["sources"][2]["state"], "failing");
    let why = ["sources/0", "sources/1", "sources/2"].map(|place| {
        health
            .pointer(&format!("/{place}/why"))
            .and_then(Json::as_str)
    });
    let program = "the program does not start, or does not speak MCP";
    assert_eq!(why, [None, Some("a file cannot be read"), Some(program)]);
    // Which file and which program is for the log.
    for name in ["no-such-program", "later.yaml"] {
        assert!(!health.to_string().contains(name), "{health}");
    }
    let one = TOOLS
        .split("  - name: liar")
        .next()
        .unwrap()
        .replace("echo", "echo_later");
    std::fs::write(server.file("later.yaml"), one).unwrap();
    server
        .until(&["echo", "liar", "sleepy", "later__echo_later"])
        .await;
}

#[tokio::test]
async fn a_change_while_the_server_starts_is_followed() {
    let config = |name: &str| format!("server: {{ name: {name} }}\nsources: []\n");
    let server = Running::of_changed(&config("before"), &config("after")).await;
    let about = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let named = async {
        loop {
            let request = server.client.post(server.url("/mcp"));
            let request = request
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
                .body(hello.to_string());
            let answer = request.send().await.unwrap().text().await.unwrap();
            if answer.contains(r#""name":"after""#) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, named).await.unwrap();
}

#[tokio::test]
async fn changes_are_followed_and_mistakes_change_nothing() {
    let server = Running::with("").await;
    let path = server.file("toolpact.yaml");
    let right = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{right}\nsauces: []\n")).unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(server.names().await, ["echo", "liar", "sleepy"]);
    let tool = "{ command: { run: [echo, '{\"text\": \"changed\"}'] } }";
    let changed = right.replace(
        "paths: [tools.yaml]",
        &format!("paths: [tools.yaml], tools: {{ echo: {tool} }}"),
    );
    std::fs::write(&path, changed).unwrap();
    let replaced = async {
        while server.call("echo", json!({"text": "a"})).await.1 != json!({"text": "changed"}) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, replaced).await.unwrap();
    std::fs::write(&path, "listen: 127.0.0.1:0\nsources: []\n").unwrap();
    server.until(&[]).await;
}

/// Sources without a name are what they say, whatever stands before them.
#[tokio::test]
async fn sources_can_change_places() {
    let tool = |name: &str| {
        TOOLS
            .split("  - name: liar")
            .next()
            .unwrap()
            .replace("echo", name)
    };
    let files = [
        ("a.yaml", tool("a")),
        ("b.yaml", tool("b")),
        ("c.yaml", tool("a")),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let sources = |paths: &[&str]| {
        let source = |path: &&str| format!("  - files: {{ paths: [{path}] }}\n");
        format!("sources:\n{}", paths.iter().map(source).collect::<String>())
    };
    let server = Running::of(&sources(&["a.yaml", "b.yaml"]), &files).await;
    server.until(&["a", "b"]).await;
    let change = |paths: &[&str]| {
        let text = format!("listen: 127.0.0.1:0\n{}", sources(paths));
        std::fs::write(server.file("toolpact.yaml"), text).unwrap();
    };
    change(&["b.yaml"]);
    server.until(&["b"]).await;
    change(&["b.yaml", "a.yaml"]);
    server.until(&["b", "a"]).await;
    // A name that two of them have is there as long as one of them is.
    change(&["c.yaml", "a.yaml"]);
    server.until(&["a"]).await;
    change(&["c.yaml"]);
    tokio::time::sleep(Duration::from_millis(1500)).await;
    server.until(&["a"]).await;
    let (_, health) = server.get("/v1/health").await;
    assert_eq!(health["sources"][0]["source"], "files");
    assert_eq!(health["status"], "ok", "{health}");
}

#[tokio::test]
async fn files_of_sources_are_followed() {
    let server = Running::with("").await;
    let one = TOOLS.split("  - name: liar").next().unwrap();
    std::fs::write(server.file("tools.yaml"), one).unwrap();
    server.until(&["echo"]).await;
    // What cannot be read any more is served as it was.
    std::fs::write(server.file("tools.yaml"), "toolpact: 2").unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(server.names().await, ["echo"]);
    assert_eq!(server.get("/v1/health").await.1["status"], "degraded");
}

#[tokio::test]
async fn what_runs_comes_to_its_end() {
    let mut server = Running::with("").await;
    let call = json!({"name": "sleepy"}).to_string();
    let request = server.client.post(server.url("/v1/call")).body(call);
    let running = tokio::spawn(request.send());
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.stop.cancel();
    let response = running.await.unwrap().unwrap();
    assert_eq!(response.status().as_u16(), 200);
    assert!(response.text().await.unwrap().contains("awake"));
    tokio::time::timeout(PATIENCE, &mut server.served)
        .await
        .unwrap()
        .unwrap();
    assert!(
        server
            .client
            .get(server.url("/v1/health"))
            .send()
            .await
            .is_err()
    );
}

/// The same over MCP; streams that wait for news do not hold up the end.
#[tokio::test]
async fn what_runs_over_mcp_comes_to_its_end() {
    let mut server = Running::with("").await;
    let ask = |body: serde_json::Value| {
        let request = server.client.post(server.url("/mcp"));
        request
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .body(body.to_string())
    };
    let about = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let welcome = ask(hello).send().await.unwrap();
    let session = welcome.headers()["mcp-session-id"]
        .to_str()
        .unwrap()
        .to_owned();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let ready = ask(ready).header("mcp-session-id", &session).send();
    assert!(ready.await.unwrap().status().is_success());
    let params = json!({"name": "sleepy", "arguments": {}});
    let old = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let old = ask(old).header("mcp-session-id", &session);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": about,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "sleepy", "arguments": {}, "_meta": meta});
    let new = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let new = ask(new)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "sleepy");
    let news = server
        .client
        .get(server.url("/mcp"))
        .header("mcp-session-id", &session);
    let news = news
        .header("accept", "text/event-stream")
        .send()
        .await
        .unwrap();
    assert_eq!(news.status().as_u16(), 200);
    let text = |request: reqwest::RequestBuilder| async move {
        request.send().await.unwrap().text().await.unwrap()
    };
    let (old, new) = (tokio::spawn(text(old)), tokio::spawn(text(new)));
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.stop.cancel();
    for answer in [old.await.unwrap(), new.await.unwrap()] {
        assert!(answer.contains("awake"), "{answer}");
    }
    // However it ends, it ends.
    let _ = tokio::time::timeout(PATIENCE, news.text()).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(5), &mut server.served).await;
    ended.unwrap().unwrap();
}

#[tokio::test]
async fn the_end_does_not_wait_for_ever() {
    let mut server = Running::with("limits: { drain_ms: 50 }").await;
    let call = json!({"name": "sleepy"}).to_string();
    let request = server.client.post(server.url("/v1/call")).body(call);
    let running = tokio::spawn(request.send());
    tokio::time::sleep(Duration::from_millis(200)).await;
    server.stop.cancel();
    let ended = tokio::time::timeout(Duration::from_millis(700), &mut server.served).await;
    ended.unwrap().unwrap();
    // Whoever waits is told.
    let response = running.await.unwrap().unwrap();
    let outcome = response.headers()["toolpact-outcome"].clone();
    assert!(
        outcome.to_str().unwrap().contains("CANCELLED"),
        "{outcome:?}"
    );
}

/// A client of Prometheus sees counters that only grow, and histograms that can be added up.
#[tokio::test]
async fn counters_survive_a_reload_and_histograms_are_complete() {
    let server = Running::with("").await;
    server.call("echo", json!({"text": "a"})).await;
    server.call("liar", json!({})).await;
    let counted = async || {
        server
            .get("/v1/metrics")
            .await
            .1
            .as_str()
            .unwrap()
            .to_owned()
    };
    let before = counted().await;
    let lines = [
        "toolpact_calls_total{tool=\"echo\",outcome=\"SUCCESS\"} 1\n",
        "toolpact_calls_total{tool=\"liar\",outcome=\"INTERNAL_CONTRACT\"} 1\n",
        "toolpact_call_seconds_count{tool=\"echo\"} 1\n",
    ];
    for line in lines {
        assert!(before.contains(line), "{before}");
    }
    let changed = TOOLS.replace("Says what it was told.", "Says it again.");
    std::fs::write(server.file("tools.yaml"), changed).unwrap();
    let reloaded = async {
        let is_new = |all: &Json| all.to_string().contains("Says it again.");
        while !is_new(&server.get("/v1/contracts").await.1) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, reloaded).await.unwrap();
    let after = counted().await;
    for line in lines {
        assert!(after.contains(line), "{after}");
    }
    let bucket = "toolpact_call_seconds_bucket{tool=\"sleepy\",le=";
    let buckets = after.lines().filter(|line| line.starts_with(bucket));
    assert_eq!(buckets.count(), 27, "those of a tool that was never called");
}
