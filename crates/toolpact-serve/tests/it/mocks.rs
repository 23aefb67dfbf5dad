//! Servers that answer from contracts.

use serde_json::json;
use toolpact_serve::{Config, check};

use crate::support::Running;

/// Tools that nothing runs, one that would leave a file behind, and an HTTP call to nowhere.
const TOOLS: &str = r"
toolpact: 1
tools:
  - name: forecast
    description: Tells the weather of a city.
    parameters: { type: object, properties: { city: { type: string } }, required: [city] }
    returns:
      type: object
      required: [city, degrees]
      properties:
        city: { type: string, enum: [Oslo, Rome] }
        degrees: { type: number, minimum: -40, maximum: 50 }
  - name: touch
    description: Leaves a file behind.
    parameters: { type: object, properties: {} }
    returns: VoidResult
    run: { command: [touch, ran] }
";

async fn mocked(mock: &str) -> Running {
    let config = format!(
        "mock: {mock}\nsources:\n  - files: {{ name: files, paths: [tools.yaml] }}\n  - mcp: {{ name: far, \
         command: [no-such-program], contracts: [tools.yaml] }}\n  - mcp: {{ name: unknown, command: [no-such-program] \
         }}\n  - shop: {{}}\n"
    );
    Running::of(&config, &[("tools.yaml", TOOLS)]).await
}

#[tokio::test]
async fn all_tools_answer_and_none_runs() {
    let server = mocked("{ seed: 3 }").await;
    let names = server.names().await;
    for name in ["files__forecast", "far__forecast", "search_orders"] {
        assert!(names.iter().any(|one| one == name), "{names:?}");
    }
    let args = || json!({"city": "Oslo"});
    let (status, first) = server.call("files__forecast", args()).await;
    assert_eq!(status, 200, "{first}");
    assert_eq!(server.call("files__forecast", args()).await.1, first);
    let (status, wrong) = server.call("files__forecast", json!({})).await;
    assert_eq!(
        (status, &wrong["type"]),
        (400, &json!("PARAMETER_VALIDATION_FAILED")),
        "{wrong}"
    );
    assert_eq!(server.call("files__touch", json!({})).await.0, 200);
    let left: Vec<_> = std::fs::read_dir(server.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[tokio::test]
async fn the_state_says_that_it_is_a_mock() {
    let server = mocked("{ seed: 3, all: { errors: [EXTERNAL_TIMEOUT=10%] } }").await;
    let (_, health) = server.get("/v1/health").await;
    let all = json!({"errors": ["EXTERNAL_TIMEOUT=10%"], "delays": []});
    assert_eq!(health["mock"]["seed"], 3, "{health}");
    assert_eq!(health["mock"]["all"]["errors"], all["errors"], "{health}");
    // Nobody knows the tools of a server that has no contracts in files.
    let sources = health["sources"].as_array().unwrap();
    let unknown = sources
        .iter()
        .find(|one| one["source"] == "mcp:unknown")
        .unwrap();
    assert_eq!(unknown["state"], "failing", "{unknown}");
    assert!(
        unknown["why"].as_str().unwrap().contains("mock"),
        "{unknown}"
    );
    let page = server
        .client
        .get(server.url("/"))
        .header("accept", "text/html");
    let page = page.send().await.unwrap().text().await.unwrap();
    assert!(page.contains("This is a mock"), "{page}");
    let overview = server
        .client
        .get(server.url("/"))
        .header("accept", "application/json");
    let overview = overview.send().await.unwrap().text().await.unwrap();
    assert!(overview.contains("\"mock\":true"), "{overview}");
}

#[tokio::test]
async fn errors_and_breaches_of_one_tool() {
    let server = mocked(
        "{ tools: { files__forecast: { errors: [NOT_FOUND_RESOURCE=1/2] }, far__forecast: { breaches: always } } }",
    )
    .await;
    let args = || json!({"city": "Oslo"});
    assert_eq!(server.call("files__forecast", args()).await.0, 200);
    let (status, error) = server.call("files__forecast", args()).await;
    assert_eq!(
        (status, &error["code"]),
        (404, &json!("NOT_FOUND_RESOURCE")),
        "{error}"
    );
    let (status, error) = server.call("far__forecast", args()).await;
    assert_eq!(
        (status, &error["code"]),
        (500, &json!("INTERNAL_CONTRACT")),
        "{error}"
    );
    assert_eq!(server.call("count_orders", json!({})).await.0, 200);
}

#[tokio::test]
async fn a_check_starts_nothing_and_knows_the_names() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tools.yaml"), TOOLS).unwrap();
    let path = folder.path().join("toolpact.yaml");
    let config = "mock: { tools: { forecasts: {} } }\nsources: [{ files: { paths: [tools.yaml] } }, { mcp: { command: \
                  [no-such-program] } }]\n";
    std::fs::write(&path, config).unwrap();
    let wrong = check(&Config::from_file(&path).unwrap()).await;
    assert!(
        wrong
            .iter()
            .any(|why| why.contains("a mock starts no server")),
        "{wrong:?}"
    );
    let config =
        "mock: { tools: { forecasts: {} } }\nsources: [{ files: { paths: [tools.yaml] } }]\n";
    std::fs::write(&path, config).unwrap();
    let wrong = check(&Config::from_file(&path).unwrap()).await;
    let expected = "`mock.tools` says what is done by `forecasts`, but no source has such a tool; did you mean \
                    `forecast`?";
    assert_eq!(wrong, [expected]);
}

#[test]
fn what_is_wrong_with_a_mock_has_its_place() {
    let wrong = Config::from_yaml(b"mock:\n  all:\n    errors: [EXTERNAL_TIMEOUTS]\n").unwrap_err();
    let text = wrong.to_string();
    assert!(
        text.contains("expected the code of an error, such as `EXTERNAL_TIMEOUT`"),
        "{text}"
    );
}
