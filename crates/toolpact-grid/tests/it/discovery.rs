//! The Services API of NATS shows runtimes to its usual tools.

use std::time::Duration;

use serde_json::Value as Json;

use crate::kit::{NatsServer, pair};

#[tokio::test(flavor = "multi_thread")]
async fn services_are_discovered_while_they_are_there() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, runtime) = pair(&server).await;
    assert_eq!(host.call("add", r#"{"a": 1, "b": 2}"#).await.text(), "3");
    let client = server.client().await;
    let ask = async |verb: &str| -> Json {
        let answer = client
            .request(format!("$SRV.{verb}.toolpact-runtime"), "".into())
            .await;
        serde_json::from_slice(&answer.unwrap().payload).unwrap()
    };
    assert_eq!(
        ask("PING").await["metadata"]["runtime"],
        runtime.id().as_str()
    );
    let info = ask("INFO").await;
    let endpoints = info["endpoints"].as_array().unwrap();
    assert_eq!(endpoints.len(), 10);
    let stats = ask("STATS").await;
    let stats = stats["endpoints"].as_array().unwrap();
    let add = stats.iter().find(|one| one["name"] == "add").unwrap();
    assert_eq!(add["num_requests"], 1, "{add}");

    runtime.drain(Duration::from_secs(1)).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    let asked = client
        .request("$SRV.PING.toolpact-runtime", "".into())
        .await;
    assert!(asked.is_err(), "{asked:?}");
}
