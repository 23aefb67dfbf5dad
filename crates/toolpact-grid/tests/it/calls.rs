//! Calls of tools that run elsewhere come to what they come to here.

use std::time::{Duration, Instant};

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Context, Definition, Registry, ToolError};
use toolpact_grid::{Host, Runtime};

use crate::kit::{
    self, AT_ONCE, NatsServer, SOON, TestHost, call, grid_reason, in_time, join, pair,
};

/// Outcomes that must be the same here and there: successes, texts, refused arguments, errors, panics.
pub(crate) const CASES: [(&str, &str); 9] = [
    ("add", r#"{"a": 1, "b": 2}"#),
    ("add", r#"{"a": 1, "b": "2"}"#),
    ("add", r#"{"a": 1}"#),
    ("divide", r#"{"a": 6, "b": 3}"#),
    ("divide", r#"{"a": 1, "b": 0}"#),
    ("panics", "{}"),
    ("whoami", "{}"),
    ("words", r#"{"count": 3}"#),
    ("missing", "{}"),
];

#[tokio::test(flavor = "multi_thread")]
async fn outcomes_are_those_of_calls_in_process() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let local = kit::registry().session().open().unwrap();
    for (name, args) in CASES {
        let (here, there) = (
            local.call(call(name, args)).await,
            host.call(name, args).await,
        );
        assert_eq!(there.text(), here.text(), "{name} {args}");
        assert_eq!(there.to_record(), here.to_record(), "{name} {args}");
        assert_eq!(there.to_adl(), here.to_adl(), "{name} {args}");
        assert_eq!(there.to_adm_json(), here.to_adm_json(), "{name} {args}");
        assert_eq!(there.to_adm(), here.to_adm(), "{name} {args}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_runtime_there_is_an_error_at_once() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::open(&server).await;
    let start = Instant::now();
    let completed = host.call("add", r#"{"a": 1, "b": 2}"#).await;
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
    assert_eq!(grid_reason(&completed), "no_runtime");
    assert_eq!(completed.error().unwrap().code(), "EXTERNAL_API_ERROR");
}

/// The server says that nobody listens, before the presence of the runtime is forgotten.
#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_that_left_is_noticed_at_once() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, runtime) = pair(&server).await;
    drop(runtime);
    tokio::time::sleep(Duration::from_millis(400)).await;
    let start = Instant::now();
    let completed = host.call("add", r#"{"a": 1, "b": 2}"#).await;
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
    assert_eq!(grid_reason(&completed), "no_runtime");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_beyond_capacity_is_refused_at_once_or_goes_elsewhere() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::open(&server).await;
    let small = || async { Runtime::builder(server.client().await).capacity(1) };
    let _one = join(small().await, &kit::registry()).await;
    assert!(host.host.wait_for("effect", SOON).await);
    let slow = |name: &str| {
        host.session.call(call(
            "effect",
            &format!(r#"{{"ms": 700, "name": "{name}"}}"#),
        ))
    };
    let quick = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let start = Instant::now();
        let refused = slow("b").await;
        (refused, start.elapsed())
    };
    let (first, (refused, took)) = tokio::join!(slow("a"), quick);
    assert!(first.is_success(), "{first:?}");
    assert_eq!(refused.error().unwrap().code(), "RATE_LIMIT_CONCURRENCY");
    assert_eq!(
        refused
            .error()
            .unwrap()
            .as_standard()
            .detail("retry_after_ms"),
        Some(&Value::from(100))
    );
    assert!(took < AT_ONCE, "{took:?}");

    let _two = join(small().await, &kit::registry()).await;
    // The second one is called once it has shown that it can answer, which is a moment after it is known.
    let both = async {
        loop {
            let (one, two) = tokio::join!(slow("c"), slow("d"));
            if one.is_success() && two.is_success() {
                return;
            }
        }
    };
    tokio::time::timeout(SOON, both).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn cancellation_reaches_the_tool() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (heard, mut told) = tokio::sync::mpsc::unbounded_channel();
    let contract = r#"{"name": "listen", "description": "Waits until it is cancelled.", "parameters": {"type": "object", "properties": {}}, "returns": {"type": "integer"}}"#;
    let listen = Definition::new(
        Contract::from_json(contract).unwrap(),
        move |_: Value, cx: Context| {
            let heard = heard.clone();
            async move {
                heard.send(Instant::now()).unwrap();
                cx.cancelled().await;
                heard.send(Instant::now()).unwrap();
                Ok::<_, ToolError>(Value::from(1))
            }
        },
    );
    let registry = Registry::new();
    registry.add(listen).unwrap();
    let host = TestHost::with(
        Host::builder(server.client().await),
        kit::contracts(&registry),
    )
    .await;
    let runtime = join(Runtime::builder(server.client().await), &registry).await;
    assert!(host.host.wait_for("listen", SOON).await);
    let mut took = Vec::new();
    for _ in 0..15 {
        let session = host.session.clone();
        let calling = tokio::spawn(async move { session.call(call("listen", "{}")).await });
        tokio::time::timeout(SOON, told.recv()).await.unwrap();
        let start = Instant::now();
        calling.abort();
        let cancelled = tokio::time::timeout(SOON, told.recv()).await.unwrap();
        took.push(cancelled.unwrap() - start);
    }
    in_time("a cancellation", took, Duration::from_millis(100));
    while runtime.in_flight() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The deadline of the caller is that of the tool.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_over_at_its_deadline_on_both_sides() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, runtime) = pair(&server).await;
    let start = Instant::now();
    let completed = host
        .session
        .call(call("wait", "{}").timeout(Duration::from_millis(300)))
        .await;
    let took = start.elapsed();
    assert_eq!(completed.error().unwrap().code(), "INTERNAL_TIMEOUT");
    assert!((300..450).contains(&took.as_millis()), "{took:?}");
    tokio::time::sleep(Duration::from_millis(250)).await;
    assert_eq!(runtime.in_flight(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_that_drains_ends_what_it_began_and_takes_nothing_more() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, runtime) = pair(&server).await;
    let running = host
        .session
        .call(call("effect", r#"{"ms": 600, "name": "a"}"#));
    let draining = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let id = runtime.id().clone();
        host.host.drain(&id);
        runtime.told_to_drain().await;
        let start = Instant::now();
        let refused = host.call("add", r#"{"a": 1, "b": 2}"#).await;
        assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
        assert_eq!(grid_reason(&refused), "draining");
        runtime.drain(SOON).await
    };
    let (completed, cancelled) = tokio::join!(running, draining);
    assert!(completed.is_success(), "{completed:?}");
    assert_eq!(cancelled, 0);
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(
        grid_reason(&host.call("add", r#"{"a": 1, "b": 2}"#).await),
        "no_runtime"
    );
    assert!(host.host.runtimes().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn many_calls_at_once_are_all_answered() {
    static PLACES: tokio::sync::Semaphore = tokio::sync::Semaphore::const_new(200);
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let calls = (0..2000_i64).map(|n| {
        let session = host.session.clone();
        async move {
            let _turn = PLACES.acquire().await.unwrap();
            let completed = session
                .call(call("add", &format!(r#"{{"a": {n}, "b": 1}}"#)))
                .await;
            assert_eq!(completed.text(), (n + 1).to_string(), "{completed:?}");
        }
    });
    futures_util::future::join_all(calls).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_no_message_can_hold_are_refused() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let name = "x".repeat(2 << 20);
    let completed = host
        .call("effect", &format!(r#"{{"ms": 0, "name": "{name}"}}"#))
        .await;
    assert_eq!(grid_reason(&completed), "arguments_too_long");
}

/// An empty registry is no error: it has nothing to offer.
#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_without_tools_is_admitted() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let _host = TestHost::open(&server).await;
    let runtime = join(Runtime::builder(server.client().await), &Registry::new()).await;
    assert!(runtime.admission().unwrap().accepted.is_empty());
}
