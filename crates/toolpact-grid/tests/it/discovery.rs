//! The Services API of NATS shows runtimes to its usual tools: asked with a client that knows nothing of the grid.

use std::time::Duration;

use serde_json::Value as Json;

use crate::kit::{NatsServer, discover, pair};

#[tokio::test(flavor = "multi_thread")]
async fn services_are_discovered_while_they_are_there() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, runtime) = pair(&server).await;
    assert_eq!(host.call("add", r#"{"a": 1, "b": 2}"#).await.text(), "3");
    let ask = |verb: &str| -> Option<Json> {
        let answers = discover(&server, verb)?;
        assert_eq!(answers.len(), 1, "{answers:?}");
        Some(answers[0].clone())
    };
    let Some(ping) = ask("PING") else { return };
    assert_eq!(ping["name"], "toolpact-runtime");
    assert_eq!(ping["metadata"]["runtime"], runtime.id().as_str());
    let info = ask("INFO").unwrap();
    let endpoints = info["endpoints"].as_array().unwrap();
    let add = endpoints.iter().find(|one| one["name"] == "add").unwrap();
    let digests: Vec<_> = host.host.manifest().digests().collect();
    let (_, digest) = digests.iter().find(|(name, _)| *name == "add").unwrap();
    assert_eq!(add["metadata"]["digest"], **digest);
    for (name, _) in digests {
        assert!(endpoints.iter().any(|one| one["name"] == name), "{name}");
    }
    let stats = ask("STATS").unwrap();
    let stats = stats["endpoints"].as_array().unwrap();
    let add = stats.iter().find(|one| one["name"] == "add").unwrap();
    assert_eq!(add["num_requests"], 1, "{add}");

    runtime.drain(Duration::from_secs(1)).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(discover(&server, "PING"), Some(Vec::new()));
}
