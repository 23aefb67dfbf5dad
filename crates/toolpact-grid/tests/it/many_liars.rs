//! A host beside runtimes that lie, each in another way: its calls have one outcome each, and those of an honest runtime
//! never fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use serde_json::{Value as Json, json};
use toolpact::Completed;
use toolpact_grid::Runtime;
use toolpact_grid::async_nats::jetstream::kv;
use toolpact_grid::async_nats::{Client, HeaderMap};

use crate::kit::{self, NatsServer, SOON, TestHost, call, contracts, join};
use crate::liars::{GOOD, message, numbered};

/// What a liar says, and what a call comes to that it gets, or does not get.
struct Lie {
    name: &'static str,
    /// The presence, of its id and the digest of `effect`.
    presence: fn(&str, &str) -> Json,
    messages: fn() -> Vec<(HeaderMap, String)>,
    /// Whether it says that again and again.
    is_endless: bool,
    expected: &'static str,
}

pub(crate) fn usual(id: &str, digest: &str) -> Json {
    json!({"runtime": id, "protocols": ["v1"], "capacity": 9, "tools": {"effect": digest}})
}

const fn presence(name: &'static str, presence: fn(&str, &str) -> Json) -> Lie {
    Lie {
        name,
        presence,
        messages: || vec![message(&[], GOOD)],
        is_endless: false,
        expected: "no_runtime",
    }
}

const fn answer(
    name: &'static str,
    expected: &'static str,
    messages: fn() -> Vec<(HeaderMap, String)>,
) -> Lie {
    Lie {
        name,
        presence: usual,
        messages,
        is_endless: false,
        expected,
    }
}

const fn endless(name: &'static str, messages: fn() -> Vec<(HeaderMap, String)>) -> Lie {
    Lie {
        is_endless: true,
        ..answer(name, "INTERNAL_TIMEOUT", messages)
    }
}

fn one(headers: &[(&'static str, &str)], body: &str) -> Vec<(HeaderMap, String)> {
    vec![message(headers, body)]
}

const LIES: &[Lie] = &[
    presence(
        "a tool that the manifest has not",
        |id, digest| json!({"runtime": id, "protocols": ["v1"], "capacity": 9, "tools": {"undeclared": digest}}),
    ),
    presence(
        "another digest",
        |id, _| json!({"runtime": id, "protocols": ["v1"], "capacity": 9, "tools": {"effect": "0".repeat(64)}}),
    ),
    presence("the name of another runtime", |_, digest| {
        usual("somebody-else", digest)
    }),
    presence("a name that is none", |_, digest| usual("a.b *", digest)),
    presence(
        "another version of the protocol",
        |id, digest| json!({"runtime": id, "protocols": ["v9"], "capacity": 9, "tools": {"effect": digest}}),
    ),
    presence("a presence that is none", |_, _| json!(["v1"])),
    presence(
        "a presence with wrong types",
        |id, digest| json!({"runtime": id, "protocols": "v1", "capacity": -1, "tools": {"effect": digest}}),
    ),
    answer("an empty answer", "malformed", || one(&[], "")),
    answer("an answer that is no result", "malformed", || {
        one(&[], r#"{"ok": true}"#)
    }),
    answer("the result of another tool", "malformed", || {
        one(&[], &GOOD.replace("effect", "add"))
    }),
    answer(
        "a result that breaks its contract",
        "INTERNAL_CONTRACT",
        || one(&[], &GOOD.replace(r#""x""#, "5")),
    ),
    answer("more than one result", "success", || {
        let other = GOOD.replace(r#""x""#, r#""y""#);
        vec![message(&[], GOOD), message(&[], &other), message(&[], "")]
    }),
    answer("a message that was left out", "malformed", || {
        one(&numbered("log", "2"), r#"{"level": "info", "message": 1}"#)
    }),
    answer(
        "messages before the result that nobody got",
        "malformed",
        || one(&[("Toolpact-Seq", "3")], GOOD),
    ),
    answer("another length than that of the parts", "malformed", || {
        one(&[("Toolpact-Length", "3")], "")
    }),
    answer("parts without end", "INTERNAL_RESULT_SIZE", || {
        let part = "x".repeat(500_000);
        let parts = (1..=40).map(|n: u32| message(&numbered("chunk", &n.to_string()), &part));
        parts.collect()
    }),
    answer("progress that is none", "malformed", || {
        one(&numbered("progress", "1"), "[]")
    }),
    answer("an item of a tool that has no stream", "success", || {
        let item = message(&numbered("item", "1"), r#"{"event": 1}"#);
        vec![item, message(&[("Toolpact-Seq", "2")], GOOD)]
    }),
    answer("a kind that nobody knows", "success", || {
        vec![
            message(&[("Toolpact-Kind", "gossip")], "?"),
            message(&[], GOOD),
        ]
    }),
    answer("an error that is none", "INTERNAL_ERROR", || {
        let body = r#"{"name": "effect", "status": "ERROR", "error": {"message": "No."}}"#;
        one(&[("Toolpact-Error", "{")], body)
    }),
    answer("a refusal without a reason", "malformed", || {
        one(&[("Toolpact-Kind", "refused")], "")
    }),
    answer("questions without end", "malformed", || {
        let question =
            r#"{"ask": "user", "name": "q", "message": "?", "schema": {"type": "object"}}"#;
        let all = (1..=40).map(|n: u32| message(&numbered("question", &n.to_string()), question));
        all.collect()
    }),
    answer("a flood", "malformed", || {
        let line = r#"{"level": "info", "message": 1}"#;
        let all = (1..=200).map(|n: u32| message(&numbered("log", &n.to_string()), line));
        all.collect()
    }),
    answer("nothing", "runtime_lost", Vec::new),
    endless("beats without end", || {
        one(&[("Toolpact-Kind", "beat")], "")
    }),
    endless("a stream without end", || {
        one(
            &numbered("log", "NEXT"),
            r#"{"level": "info", "message": 1}"#,
        )
    }),
];

/// A liar that is there until it is dropped, and answers each call with what it says.
struct Liar {
    task: tokio::task::JoinHandle<()>,
    presence: kv::Store,
    id: String,
}

impl Liar {
    async fn start(client: Client, id: String, digest: &str, lie: &'static Lie) -> Self {
        let subject = format!("toolpact.v1.call.{id}.effect.{digest}");
        let mut calls = client.subscribe(subject).await.unwrap();
        let jetstream = toolpact_grid::async_nats::jetstream::new(client.clone());
        let store = jetstream.get_key_value("toolpact_v1_presence").await;
        let presence = store.unwrap();
        let says = (lie.presence)(&id, digest).to_string();
        presence.put(&*id, says.into()).await.unwrap();
        let task = tokio::spawn(async move {
            while let Some(call) = calls.next().await {
                let reply = call.reply.clone().unwrap();
                // Answers to invocations of others, and to none, are for nobody.
                let host = reply.split('.').nth(3).unwrap();
                let other = format!("toolpact.v1.reply.{host}.{:032x}.1", 7);
                client.publish(other, GOOD.into()).await.unwrap();
                for number in 1_u32.. {
                    for (mut headers, body) in (lie.messages)() {
                        if headers
                            .get("Toolpact-Seq")
                            .is_some_and(|seq| seq.as_str() == "NEXT")
                        {
                            headers.insert("Toolpact-Seq", number.to_string());
                        }
                        let sent = client.publish_with_headers(reply.clone(), headers, body.into());
                        sent.await.unwrap();
                    }
                    if !lie.is_endless || number > 100 {
                        break;
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        });
        Self { task, presence, id }
    }

    async fn stop(self) {
        self.task.abort();
        self.presence.delete(&*self.id).await.unwrap();
    }
}

/// `success`, what the grid says, or the code of another error.
fn found(completed: &Completed) -> String {
    match completed.error() {
        None => "success".to_owned(),
        Some(error) => match error.as_standard().detail("grid") {
            Some(grid) => grid.text().trim_matches('"').to_owned(),
            None => error.code().to_owned(),
        },
    }
}

/// Waits until a host knows a runtime, or does not know it any more.
pub(crate) async fn until_known(host: &TestHost, id: &str, is_known: bool) {
    let is_there = || {
        let known = host.host.runtimes();
        known.iter().any(|one| &*one.presence.runtime == id)
    };
    let waiting = async {
        while is_there() != is_known {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let waited = tokio::time::timeout(SOON, waiting).await;
    assert!(waited.is_ok(), "{id}: {is_known}");
}

pub(crate) fn digest_of_effect() -> String {
    let all = contracts(&kit::registry());
    let effect = all.iter().find(|one| one.name().as_str() == "effect");
    effect.unwrap().digest().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_serves_on_beside_all_kinds_of_liars() {
    assert!(LIES.len() >= 20, "{}", LIES.len());
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::open(&server).await;
    let digest = digest_of_effect();
    let honest = kit::registry();
    honest.remove("effect").unwrap();
    let _honest = join(Runtime::builder(server.client().await), &honest).await;
    assert!(host.host.wait_for("add", SOON).await);

    let (over, answered) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let serving = {
        let (session, over, answered) = (host.session.clone(), over.clone(), answered.clone());
        tokio::spawn(async move {
            while !over.load(Ordering::SeqCst) {
                let completed = session.call(call("add", r#"{"a": 1, "b": 2}"#)).await;
                assert_eq!(completed.text(), "3", "{completed:?}");
                answered.fetch_add(1, Ordering::SeqCst);
            }
        })
    };
    for (number, lie) in LIES.iter().enumerate() {
        let id = format!("liar-{number}");
        let liar = Liar::start(server.client().await, id, &digest, lie).await;
        let is_known = lie.expected != "no_runtime";
        if is_known {
            assert!(host.host.wait_for("effect", SOON).await, "{}", lie.name);
        } else {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let asked = call("effect", r#"{"ms": 0, "name": "x"}"#).timeout(Duration::from_secs(3));
        let completed = host.session.call(asked).await;
        assert_eq!(
            found(&completed),
            lie.expected,
            "{}: {completed:?}",
            lie.name
        );
        liar.stop().await;
        until_known(&host, &format!("liar-{number}"), false).await;
    }
    over.store(true, Ordering::SeqCst);
    serving.await.unwrap();
    assert!(answered.load(Ordering::SeqCst) > LIES.len());
}

/// Each call has one outcome, of whom it went to: what the liar makes of it, or the result of the honest one.
#[tokio::test(flavor = "multi_thread")]
async fn an_honest_runtime_of_the_same_tool_is_believed_beside_a_liar() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::open(&server).await;
    let digest = digest_of_effect();
    let _honest = join(Runtime::builder(server.client().await), &kit::registry()).await;
    assert!(host.host.wait_for("effect", SOON).await);
    let said_by_honest = std::process::id().to_string();
    let mut lied = 0;
    for (number, lie) in LIES.iter().enumerate() {
        let id = format!("liar-{number}");
        let liar = Liar::start(server.client().await, id.clone(), &digest, lie).await;
        let is_called = lie.expected != "no_runtime";
        if is_called {
            until_known(&host, &id, true).await;
        } else {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let calls = (0..6).map(|_| {
            let asked = call("effect", r#"{"ms": 0, "name": "x"}"#);
            host.session.call(asked.timeout(Duration::from_secs(3)))
        });
        let told = join_all(calls).await;
        let is_honest = |one: &&Completed| one.is_success() && one.text() == said_by_honest;
        let (honest, others): (Vec<_>, Vec<_>) = told.iter().partition(is_honest);
        let name = lie.name;
        assert!(!honest.is_empty(), "{name}: {told:?}");
        // A liar that only refuses has no say: such a call is made elsewhere.
        assert!(is_called || others.is_empty(), "{name}: {told:?}");
        lied += others.len();
        for other in others {
            assert_eq!(found(other), lie.expected, "{name}: {other:?}");
        }
        liar.stop().await;
        until_known(&host, &id, false).await;
    }
    assert!(lied >= 15, "liars are called, too: {lied}");
}
