//! What clients say about themselves, in policies.

use reqwest::Method;
use serde_json::json;
use toolpact_serve::Config;

use super::{House, config, ways};

#[tokio::test]
async fn policies_see_the_client() {
    let held = "held: { approvers: { groups: [leads] } }";
    let house = House::of(&config(held, "")).await;
    let forbid = "@id(\"only the desk\")\nforbid(principal, action, resource)\n\
                  unless { context has client && context.client.name == \"desk\" && context.client has version };";
    std::fs::write(house.server.file("policies.cedar"), forbid).unwrap();
    let call = json!({"name": "sleepy", "args": {}});
    let send = async |agent: &str| {
        let request = house.request("ada", Method::POST, "/v1/call");
        let request = request.header("user-agent", agent).body(call.to_string());
        house.send(request).await.0
    };
    let followed = async { while send("other/1").await == 200 {} };
    tokio::time::timeout(crate::support::PATIENCE, followed)
        .await
        .unwrap();
    assert_eq!(send("desk/2").await, 200);
    assert_eq!(send("desk").await, 403);
    let (status, _) = house.post("ada", "/v1/call", &call).await;
    assert_eq!(status, 403);
    // Of the calls that are not denied, those of MCP clients of that name are held.
    let decider = tokio::spawn({
        let house = std::sync::Arc::clone(&house);
        async move {
            loop {
                for held in house.list("bob").await {
                    assert_eq!(held["client"], "desk 2");
                    let approve = json!({"decision": "approve"});
                    drop(house.decide("bob", &held, &approve).await);
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        }
    });
    for (way, said) in ways::all(&house).await {
        assert_eq!(
            said.contains("hello"),
            way.starts_with("mcp"),
            "{way}: {said}"
        );
    }
    assert!(!decider.is_finished());
    decider.abort();
}

#[tokio::test]
async fn a_policy_has_to_ask_whether_there_is_a_client() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    file("tools.yaml", crate::support::TOOLS);
    file(
        "toolpact.yaml",
        "policy: { files: [p.cedar] }\nsources: [{ files: { paths: [tools.yaml] } }]\n",
    );
    for (condition, is_fine) in [
        ("context.client.name == \"desk\"", false),
        (
            "context has client && context.client.name == \"desk\"",
            true,
        ),
        (
            "context has client && context.client.version == \"2\"",
            false,
        ),
        (
            "context has client.version && context.client.version == \"2\"",
            true,
        ),
    ] {
        file(
            "p.cedar",
            &format!("permit(principal, action, resource) when {{ {condition} }};"),
        );
        let config = Config::from_file(&folder.path().join("toolpact.yaml")).unwrap();
        let wrong = toolpact_serve::check(&config).await;
        assert_eq!(wrong.is_empty(), is_fine, "{condition}: {wrong:?}");
    }
}
