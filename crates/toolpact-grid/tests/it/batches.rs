//! Calls that are made at once, in one message.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::StreamExt as _;
use serde_json::{Value as Json, json};
use toolpact::Call;
use toolpact_grid::async_nats::{Client, Message, Subscriber};

use crate::kit::{self, AT_ONCE, NatsServer, SOON, call, contracts, grid_reason, pair, runtime};

/// Good calls, and others of each kind.
fn calls() -> Vec<Call> {
    let of = |n: usize| match n % 5 {
        0 => call("divide", r#"{"a": 1, "b": 0}"#),
        1 => call("add", r#"{"a": 1}"#),
        2 => call("panics", "{}"),
        3 => call("effect", &format!(r#"{{"ms": {}, "name": "{n}"}}"#, n * 3)),
        _ => call("add", &format!(r#"{{"a": {n}, "b": 1}}"#)),
    };
    (0..50).map(of).collect()
}

/// Hears what is published there from now on.
async fn listen(client: &Client, subject: &str) -> Subscriber {
    let mut subscriber = client.subscribe(subject.to_owned()).await.unwrap();
    // The server may take it after what others have published; not so what this client has.
    let own = subject.replace('>', "own");
    client.publish(own, "".into()).await.unwrap();
    subscriber.next().await.unwrap();
    subscriber
}

/// How many messages have come.
async fn count(client: &Client, subscriber: &mut Subscriber) -> usize {
    client.flush().await.unwrap();
    let mut messages = 0;
    while let Ok(Some(_)) =
        tokio::time::timeout(Duration::from_millis(200), subscriber.next()).await
    {
        messages += 1;
    }
    messages
}

/// On one thread, so that all calls are made before any is sent.
#[tokio::test]
async fn a_batch_is_one_message_and_each_call_has_its_outcome() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let spy = server.client().await;
    let mut sent = listen(&spy, "toolpact.v1.call.>").await;
    let local = kit::registry().session().open().unwrap();
    let batch = host.session.call_batch(calls()).await;
    let here = local.call_batch(calls()).await;
    for (there, here) in batch.completed().iter().zip(here.completed()) {
        assert_eq!(there.to_adl(), here.to_adl());
        assert_eq!(there.to_adm(), here.to_adm());
    }
    assert_eq!(batch.completed().len(), 50);
    assert_eq!(count(&spy, &mut sent).await, 1);
}

/// Outcomes come back together, too, where they are ready together.
#[tokio::test]
async fn outcomes_that_are_ready_together_come_in_one_message() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let spy = server.client().await;
    let mut told = listen(&spy, "toolpact.v1.reply.>").await;
    let calls = (0..100).map(|n| call("add", &format!(r#"{{"a": {n}, "b": 1}}"#)));
    let batch = host.session.call_batch(calls).await;
    for (n, completed) in batch.completed().iter().enumerate() {
        assert_eq!(completed.text(), (n + 1).to_string(), "{completed:?}");
    }
    let messages = count(&spy, &mut told).await;
    assert!(messages < 50, "{messages}");
}

#[tokio::test]
async fn a_batch_for_a_runtime_that_left_was_surely_not_begun() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, runtime) = pair(&server).await;
    drop(runtime);
    // It has said nothing: its host finds out by what the server says.
    tokio::time::sleep(Duration::from_millis(400)).await;
    let batch = host.session.call_batch(calls()).await;
    for completed in batch.completed() {
        assert!(completed.took() < AT_ONCE, "{completed:?}");
        if !completed.error().unwrap().code().starts_with("VALIDATION") {
            assert_eq!(grid_reason(completed), "no_runtime");
        }
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

/// On a busy machine, a call may take so long that it says so.
fn is_beat(message: &Message) -> bool {
    let headers = message.headers.as_ref();
    headers.is_some_and(|map| map.get("Toolpact-Kind").is_some())
}

/// The page of the protocol, word by word: a host that is written without our crate.
#[tokio::test(flavor = "multi_thread")]
async fn each_call_of_a_batch_is_on_its_own() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (_host, runtime) = (kit::TestHost::open(&server).await, runtime(&server).await);
    let all = contracts(&kit::registry());
    let add = all.iter().find(|one| one.name().as_str() == "add").unwrap();
    let client = server.client().await;
    let mut replies = client.subscribe("toolpact.v1.reply.h1.>").await.unwrap();
    let good = r#"{"name":"add","args":{"a":1,"b":2}}"#;
    let cases = [
        (json!({}), good, None, None),
        (
            json!({}),
            r#"{"name":"add","args":{"a":1}}"#,
            None,
            Some("VALIDATION_REQUIRED"),
        ),
        (
            json!({"digest": "0".repeat(64)}),
            good,
            Some("refused"),
            Some("EXTERNAL_API_ERROR"),
        ),
        (
            json!({"digest": "0"}),
            good,
            Some("refused"),
            Some("INTERNAL_CONFIGURATION"),
        ),
        (
            json!({"start_by": now() - 1}),
            good,
            Some("refused"),
            Some("INTERNAL_TIMEOUT"),
        ),
        (
            json!({"deadline": now() - 1}),
            good,
            Some("refused"),
            Some("INTERNAL_TIMEOUT"),
        ),
        (
            json!({}),
            "{",
            Some("refused"),
            Some("INTERNAL_CONFIGURATION"),
        ),
    ];
    let mut heads = Vec::new();
    let mut bodies = String::new();
    for (n, (changes, body, ..)) in cases.iter().enumerate() {
        let mut head = json!({
            "invocation": format!("{n:032x}"), "attempt": n + 1, "digest": add.digest().to_string(),
            "deadline": now() + 5000, "start_by": now() + 1000, "length": body.len(), "unknown": [],
        });
        let changes = changes.as_object().unwrap().clone();
        head.as_object_mut().unwrap().extend(changes);
        heads.push(head);
        bodies.push_str(body);
    }
    let message = format!("{}\n{bodies}", Json::from(heads));
    let subject = format!("toolpact.v1.call.{}.batch", runtime.id());
    let reply = "toolpact.v1.reply.h1.batch.7";
    client
        .publish_with_reply(subject, reply, message.into())
        .await
        .unwrap();

    let mut outcomes = std::collections::BTreeMap::new();
    while outcomes.len() < cases.len() {
        let message = tokio::time::timeout(SOON, replies.next())
            .await
            .unwrap()
            .unwrap();
        if is_beat(&message) {
            continue;
        }
        assert_eq!(message.subject.as_str(), reply);
        let text = std::str::from_utf8(&message.payload).unwrap();
        let (heads, mut rest) = text.split_once('\n').unwrap();
        for head in serde_json::from_str::<Vec<Json>>(heads).unwrap() {
            let length = usize::try_from(head["length"].as_u64().unwrap()).unwrap();
            let (body, next) = rest.split_at(length);
            rest = next;
            let invocation =
                u128::from_str_radix(head["invocation"].as_str().unwrap(), 16).unwrap();
            assert_eq!(head["attempt"], json!(invocation + 1));
            outcomes.insert(
                usize::try_from(invocation).unwrap(),
                (head, body.to_owned()),
            );
        }
        assert_eq!(rest, "");
    }
    for (n, (_, _, kind, code)) in cases.iter().enumerate() {
        let (head, body) = &outcomes[&n];
        assert_eq!(head["kind"].as_str(), *kind, "{n}: {head}");
        assert_eq!(head["error"]["code"].as_str(), *code, "{n}: {head}");
        let body: Json = serde_json::from_str(body).unwrap();
        assert_eq!(body["status"] == "ERROR", code.is_some(), "{n}: {body}");
    }
}
