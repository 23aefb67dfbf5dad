//! Runtimes that do not keep to the protocol: a host says so, and serves on.

use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::json;
use toolpact_grid::async_nats::{Client, HeaderMap};

use crate::kit::{self, NatsServer, SOON, TestHost, contracts, grid_reason};

/// A runtime in a few lines, which answers each call of `effect` with these messages.
pub(crate) async fn lie(
    client: Client,
    messages: Vec<(HeaderMap, String)>,
) -> tokio::task::JoinHandle<()> {
    let all = contracts(&kit::registry());
    let effect = all
        .iter()
        .find(|one| one.name().as_str() == "effect")
        .unwrap();
    let digest = effect.digest().to_string();
    let subject = format!("toolpact.v1.call.liar.effect.{digest}");
    let mut calls = client.subscribe(subject).await.unwrap();
    let jetstream = toolpact_grid::async_nats::jetstream::new(client.clone());
    let store = jetstream
        .get_key_value("toolpact_v1_presence")
        .await
        .unwrap();
    let says = json!({"runtime": "liar", "protocols": ["v1"], "capacity": 9, "tools": {"effect": digest, "undeclared": digest}});
    store.put("liar", says.to_string().into()).await.unwrap();
    tokio::spawn(async move {
        while let Some(call) = calls.next().await {
            for (headers, body) in &messages {
                let reply = call.reply.clone().unwrap();
                client
                    .publish_with_headers(reply, headers.clone(), body.clone().into())
                    .await
                    .unwrap();
            }
        }
    })
}

pub(crate) fn message(headers: &[(&'static str, &str)], body: &str) -> (HeaderMap, String) {
    let mut map = HeaderMap::new();
    map.insert("X", "y");
    for (name, value) in headers {
        map.insert(*name, *value);
    }
    (map, body.to_owned())
}

pub(crate) const GOOD: &str =
    r#"{"name":"effect","status":"SUCCESS","content":{"success":true,"value":"x"}}"#;

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_answer_is_an_error_of_the_runtime() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let flood = (1..200).map(|n| {
        message(
            &numbered("log", &n.to_string()),
            r#"{"level":"info","message":1}"#,
        )
    });
    let cases = [
        ("malformed", vec![message(&[], "")]),
        ("malformed", vec![message(&[], "{}")]),
        (
            "malformed",
            vec![message(&[], &GOOD.replace("effect", "add"))],
        ),
        ("malformed", vec![message(&numbered("log", "2"), "{}")]),
        ("malformed", vec![message(&numbered("progress", "1"), "[]")]),
        ("malformed", vec![message(&[("Toolpact-Seq", "3")], GOOD)]),
        ("malformed", vec![message(&[("Toolpact-Length", "3")], "")]),
        ("malformed", flood.collect()),
        ("runtime_lost", vec![]),
    ];
    for (expected, messages) in cases {
        let host = TestHost::open(&server).await;
        let said = format!("{:?}", messages.first());
        let liar = lie(server.client().await, messages).await;
        assert!(host.host.wait_for("effect", SOON).await);
        let completed = host.call("effect", r#"{"ms": 0, "name": "x"}"#).await;
        assert_eq!(grid_reason(&completed), expected, "{said}");
        liar.abort();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_breaks_the_contract_is_withheld() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::open(&server).await;
    let wrong = GOOD.replace(r#""x""#, "5");
    let _liar = lie(server.client().await, vec![message(&[], &wrong)]).await;
    assert!(host.host.wait_for("effect", SOON).await);
    let completed = host.call("effect", r#"{"ms": 0, "name": "x"}"#).await;
    assert_eq!(completed.error().unwrap().code(), "INTERNAL_CONTRACT");
}

/// Five answers that are none, and the runtime is left alone.
#[tokio::test(flavor = "multi_thread")]
async fn the_breaker_opens() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::open(&server).await;
    let _liar = lie(
        server.client().await,
        vec![message(&[("Toolpact-Seq", "7")], "")],
    )
    .await;
    assert!(host.host.wait_for("effect", SOON).await);
    let mut reasons = Vec::new();
    for _ in 0..7 {
        reasons.push(grid_reason(
            &host.call("effect", r#"{"ms": 0, "name": "x"}"#).await,
        ));
    }
    assert_eq!(reasons[..5], ["malformed"; 5]);
    assert_eq!(reasons[5..], ["breaker_open"; 2]);
    assert!(host.host.runtimes()[0].breaker_open);
    // Another runtime has the tool: it gets the calls.
    let _honest = kit::runtime(&server).await;
    let there = async {
        while !host
            .call("effect", r#"{"ms": 0, "name": "x"}"#)
            .await
            .is_success()
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(SOON, there).await.unwrap();
}

pub(crate) fn numbered<'a>(kind: &'a str, seq: &'a str) -> [(&'static str, &'a str); 2] {
    [("Toolpact-Kind", kind), ("Toolpact-Seq", seq)]
}
