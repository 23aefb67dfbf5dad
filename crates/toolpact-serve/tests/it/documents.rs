//! Documents made of all tools.

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{Running, TOOLS};

const PATHS: [(&str, &str); 8] = [
    ("openapi", "/v1/openapi.json"),
    ("contracts", "/v1/contracts"),
    ("python", "/v1/stubs?lang=python"),
    ("typescript", "/v1/stubs?lang=typescript"),
    ("openai-chat", "/v1/exports/openai-chat"),
    ("contract", "/v1/exports/contract"),
    ("docs", "/v1/docs"),
    ("page", "/"),
];

/// How often a document was made.
async fn made(server: &Running, document: &str) -> u64 {
    let (_, metrics) = server.get("/v1/metrics").await;
    let line = format!("toolpact_documents_made_total{{document=\"{document}\"}} ");
    let mut lines = metrics.as_str().unwrap().lines();
    let made = lines.find_map(|one| one.strip_prefix(&*line));
    made.map_or(0, |made| made.parse().unwrap())
}

#[tokio::test]
async fn a_document_is_made_once_for_each_change_of_the_tools() {
    let server = Running::with("").await;
    for (document, path) in PATHS {
        let asked = join_all((0..8).map(|_| server.get(path))).await;
        assert!(asked.iter().all(|(status, _)| *status == 200), "{path}");
        assert!(asked.iter().all(|answer| *answer == asked[0]), "{path}");
        assert_eq!(made(&server, document).await, 1, "{path}");
    }
    let less = TOOLS.split("  - name: liar").next().unwrap();
    std::fs::write(server.file("tools.yaml"), less).unwrap();
    server.until(&["echo"]).await;
    for (document, path) in PATHS {
        let (_, text) = server.get(path).await;
        assert!(!text.to_string().contains("liar"), "{path}");
        assert_eq!(made(&server, document).await, 2, "{path}");
    }
}

#[tokio::test]
async fn who_has_a_document_is_not_sent_it_again() {
    let server = Running::with("").await;
    for (_, path) in &PATHS[..7] {
        let get = || server.client.get(server.url(path));
        let first = get().send().await.unwrap();
        let etag = first.headers()["etag"].clone();
        let again = get().header("if-none-match", &etag).send().await.unwrap();
        assert_eq!(again.status(), 304, "{path}");
        assert_eq!(again.headers()["etag"], etag);
        assert_eq!(again.text().await.unwrap(), "");
        let other = get().header("if-none-match", "\"other\"").send().await;
        assert_eq!(other.unwrap().status(), 200);
    }
    assert_eq!(server.call("echo", json!({"text": "hi"})).await.0, 200);
}
