//! Policies of a config: who may call what, by every way in.

use reqwest::Method;
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use toolpact_serve::{Config, Service};

use crate::support::{PATIENCE, Running, TOOLS};

/// Anonymous callers may echo what begins with an `a`, and sleep. They may not call `liar` at all.
const POLICIES: &str = r#"
@id("only a")
permit(principal, action == Action::"echo", resource)
when { context.input.text like "a*" };
"#;

const CONFIG: &str = "
policy:
  files: [policies.cedar]
  allow: [{ tools: [slee*] }]
sources:
  - files: { paths: [tools.yaml] }
";

async fn server() -> Running {
    Running::of(
        CONFIG,
        &[("tools.yaml", TOOLS), ("policies.cedar", POLICIES)],
    )
    .await
}

/// A way to make a call: the code of its error, or `ok`.
async fn outcomes(server: &Running, tool: &str, args: &Json) -> Vec<(&'static str, String)> {
    let code = |answer: &Json| answer["code"].as_str().unwrap_or("ok").to_owned();
    let mut all = Vec::new();
    let (_, answer) = server.call(tool, args.clone()).await;
    all.push(("call", code(&answer)));
    let (_, answer) = server.post(&format!("/v1/tools/{tool}"), args).await;
    all.push(("tool", code(&answer)));
    let calls = json!({"calls": [{"name": tool, "args": args}]});
    let (_, answer) = server.post("/v1/batch", &calls).await;
    all.push(("batch", text_code(&answer.to_string())));
    let plan = json!([{"id": "a", "tool": tool, "args": args}]);
    let (_, answer) = server.post("/v1/plan", &plan).await;
    let outcome = match (answer["done"] == true, text_code(&answer.to_string())) {
        (false, outcome) if outcome == "ok" => "REFUSED".to_owned(),
        (_, outcome) => outcome,
    };
    all.push(("plan", outcome));
    let (_, session) = server.post("/v1/sessions", &json!({})).await;
    let body = json!({"name": tool, "args": args, "session": session["session"]});
    let (_, answer) = server.post("/v1/call", &body).await;
    all.push(("session", code(&answer)));
    let body = json!({"name": tool, "args": args}).to_string();
    let request = server.client.post(server.url("/v1/call")).body(body);
    let request = request
        .header("accept", "text/event-stream")
        .timeout(PATIENCE);
    let answer = request.send().await.unwrap().text().await.unwrap();
    all.push(("stream", text_code(&answer)));
    all
}

/// The code that is somewhere in an answer.
fn text_code(answer: &str) -> String {
    let codes = ["FORBIDDEN_ACCESS", "NOT_FOUND"];
    let found = codes.iter().find(|code| answer.contains(**code));
    match (
        found,
        answer.contains("no tool") || answer.contains("There is no"),
    ) {
        (Some(code), _) => (*code).to_owned(),
        (None, true) => "NOT_FOUND".to_owned(),
        (None, false) => "ok".to_owned(),
    }
}

#[tokio::test]
async fn no_way_in_leads_around_a_policy() {
    let server = server().await;
    let (fine, bad) = (json!({"text": "abc"}), json!({"text": "xyz"}));
    for (way, outcome) in outcomes(&server, "echo", &fine).await {
        assert_eq!(outcome, "ok", "{way}");
    }
    for (way, outcome) in outcomes(&server, "echo", &bad).await {
        assert_eq!(outcome, "FORBIDDEN_ACCESS", "{way}");
    }
    // What is hidden is as unknown as what is not there, whoever asks in which way.
    let hidden = outcomes(&server, "liar", &json!({})).await;
    let unknown = outcomes(&server, "nothing", &json!({})).await;
    assert_eq!(hidden, unknown);
    assert!(
        hidden.iter().all(|(_, outcome)| outcome != "ok"),
        "{hidden:?}"
    );
    let (status, _) = server
        .post("/v1/validate", &json!({"name": "liar", "args": {}}))
        .await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn what_may_not_be_called_is_in_no_document() {
    let server = server().await;
    assert_eq!(server.names().await, ["echo", "sleepy"]);
    assert_eq!(server.get("/v1/contracts/liar").await.0, 404);
    for path in [
        "/v1/contracts",
        "/v1/stubs?lang=python",
        "/v1/stubs?lang=typescript",
        "/v1/exports/openai",
        "/v1/exports/mcp",
        "/v1/docs",
        "/v1/openapi.json",
        "/",
    ] {
        let (status, text) = server.ask(Method::GET, path, "").await;
        assert!(status == 200 && text.contains("sleepy"), "{path}: {status}");
        assert!(!text.contains("liar"), "{path}");
    }
}

#[tokio::test]
async fn mcp_clients_see_and_call_what_they_may() {
    let server = server().await;
    let upstream = toolpact_upstream::Upstream::http(server.url("/mcp"));
    let listed = upstream.connect().await.unwrap().definitions().len();
    assert_eq!(listed, 2);
    let config = format!(
        "sources: [{{ mcp: {{ name: far, url: '{}' }} }}]",
        server.url("/mcp")
    );
    let client = Running::of(&config, &[]).await;
    assert_eq!(client.names().await, ["far__echo", "far__sleepy"]);
    assert_eq!(
        client.call("far__echo", json!({"text": "abc"})).await.0,
        200
    );
    let (status, error) = client.call("far__echo", json!({"text": "xyz"})).await;
    assert_ne!(status, 200, "{error}");
    assert!(!error.to_string().contains("only a"), "{error}");
}

#[tokio::test]
async fn policies_are_followed_and_wrong_ones_are_not() {
    let server = server().await;
    let write = |text: &str| std::fs::write(server.file("policies.cedar"), text).unwrap();
    write("permit(principal, action == Action::\"liar\", resource);");
    server.until(&["liar", "sleepy"]).await;
    let (_, error) = server.call("echo", json!({"text": "abc"})).await;
    assert_eq!(error["code"], "NOT_FOUND_ENDPOINT", "{error}");
    // What does not fit the tools changes nothing.
    write("permit(principal, action == Action::\"lair\", resource);");
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    assert_eq!(server.names().await, ["liar", "sleepy"]);
    write("permit(principal, action, resource);");
    server.until(&["echo", "liar", "sleepy"]).await;
}

#[tokio::test]
async fn a_server_with_wrong_policies_does_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    file("tools.yaml", TOOLS);
    file("toolpact.yaml", CONFIG);
    for (policies, expected) in [
        (
            "permit(principal, action == Action::\"ecko\", resource);",
            "policies.cedar:1:",
        ),
        (
            "permit(principal, action == Action::\"echo\", resource)\nwhen { context.input.txt == \"\" };",
            "policies.cedar:2:",
        ),
        ("permit(", "policies.cedar:1:"),
    ] {
        file("policies.cedar", policies);
        let config = Config::from_file(&folder.path().join("toolpact.yaml")).unwrap();
        let wrong = toolpact_serve::check(&config).await;
        assert!(wrong.len() == 1 && wrong[0].contains(expected), "{wrong:?}");
        let started = Service::start(config, None, CancellationToken::new()).await;
        let error = started.err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
