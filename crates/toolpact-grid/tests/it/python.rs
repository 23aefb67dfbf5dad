//! The runtime in Python of `examples/grid`, which is written from the page of the protocol alone, comes to the same as
//! one of this crate.

use std::fs;
use std::time::Duration;

use toolpact::core::json::Value;
use toolpact_grid::Host;

use crate::calls::CASES;
use crate::kit::{
    self, NatsServer, PythonRuntime, TestHost, call, contracts, grid_reason, join, registry,
};
use crate::protocol::{PlainHost, checks_arguments, refuses_what_must_not_be_begun};
use crate::streams::updates_of;

/// Longer than Python takes to start on a busy machine.
const START: Duration = Duration::from_secs(30);

async fn until(what: &str, holds: impl Fn() -> bool) {
    let wait = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(tokio::time::timeout(START, wait).await.is_ok(), "{what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_in_python_comes_to_the_same() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let effects = folder.path().join("effects");
    let host = TestHost::open(&server).await;
    let Some(mut python) = PythonRuntime::start(&server, &effects) else {
        return;
    };
    assert!(host.host.wait_for("add", START).await);
    let presence = host.host.runtimes()[0].presence.clone();
    assert_eq!(&*presence.language, "python");

    // Successes, texts, refused arguments, errors, failures that nobody expected.
    let local = registry().session().open().unwrap();
    for (name, args) in CASES {
        let (here, there) = (
            local.call(call(name, args)).await,
            host.call(name, args).await,
        );
        assert_eq!(there.text(), here.text(), "{name} {args}");
        assert_eq!(there.to_record(), here.to_record(), "{name} {args}");
        assert_eq!(there.to_adl(), here.to_adl(), "{name} {args}");
    }
    // More than the window, and results in parts.
    assert_eq!(updates_of(&host.session).await, updates_of(&local).await);
    let long = host.call("words", r#"{"count": 700000}"#).await;
    assert!(long.is_success(), "{long:?}");
    assert!(long.to_json().unwrap().len() > 3_500_000);

    // It beats while a call runs.
    let slow = host.call("effect", r#"{"ms": 2500, "name": "a"}"#).await;
    assert_eq!(slow.text(), python.0.id().to_string(), "{slow:?}");

    // It hears of cancellations, and of deadlines.
    let lines = || fs::read_to_string(&effects).unwrap_or_default();
    let session = host.session.clone();
    let calling = tokio::spawn(async move { session.call(call("wait", "{}")).await });
    until("it has begun", || lines().contains("waits")).await;
    calling.abort();
    until("it is cancelled", || lines().contains("cancelled")).await;
    let late = call("wait", "{}").timeout(Duration::from_millis(300));
    let late = host.session.call(late).await;
    assert_eq!(late.error().unwrap().code(), "INTERNAL_TIMEOUT");

    // It ends what it has begun, takes nothing more, and leaves.
    let running = call("effect", r#"{"ms": 1500, "name": "b"}"#);
    let running = host.session.call(running);
    let draining = async {
        until("it has begun", || lines().contains("began b")).await;
        let id = host.host.runtimes()[0].presence.runtime.clone();
        host.host.drain(&toolpact_grid::Id::new(&id).unwrap());
        until("it drains", || {
            let known = host.host.runtimes();
            known.iter().all(|one| one.presence.draining)
        })
        .await;
        grid_reason(&host.call("add", r#"{"a": 1, "b": 2}"#).await)
    };
    let (completed, refused) = tokio::join!(running, draining);
    assert!(completed.is_success(), "{completed:?}");
    assert_eq!(refused, "draining");
    until("it has left", || host.host.runtimes().is_empty()).await;
    let status = tokio::task::spawn_blocking(move || python.0.wait().unwrap());
    assert!(status.await.unwrap().success());
}

/// Whatever a host sends that does not keep to the protocol, there is an answer, and nothing is executed.
#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_in_python_begins_nothing_that_it_must_not() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let host = TestHost::open(&server).await;
    let Some(_python) = PythonRuntime::start(&server, &folder.path().join("effects")) else {
        return;
    };
    assert!(host.host.wait_for("add", START).await);
    let id = host.host.runtimes()[0].presence.runtime.clone();
    let plain = PlainHost::of_id(&server, &id).await;
    refuses_what_must_not_be_begun(&plain).await;
    checks_arguments(&plain).await;
    assert_eq!(host.call("add", r#"{"a": 1, "b": 2}"#).await.text(), "3");
}

/// A host does not care who has a tool.
#[tokio::test(flavor = "multi_thread")]
async fn runtimes_of_two_languages_stand_side_by_side() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let host = TestHost::with(Host::builder(server.client().await), contracts(&registry())).await;
    let Some(python) = PythonRuntime::start(&server, &folder.path().join("effects")) else {
        return;
    };
    let rust = toolpact_grid::Runtime::builder(server.client().await);
    let _rust = join(rust, &kit::registry()).await;
    until("both are there", || host.host.runtimes().len() == 2).await;
    let mut seen = std::collections::BTreeMap::<String, usize>::new();
    for n in 0..20 {
        let args = format!(r#"{{"ms": 0, "name": "{n}"}}"#);
        let completed = host.call("effect", &args).await;
        assert!(completed.is_success(), "{completed:?}");
        *seen.entry(completed.text()).or_default() += 1;
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert!(seen.contains_key(&python.0.id().to_string()), "{seen:?}");
    let local = registry().session().open().unwrap();
    for (name, args) in CASES.iter().cycle().take(CASES.len() * 4) {
        let there = host.call(name, args).await;
        let here: Value = local.call(call(name, args)).await.to_adl();
        assert_eq!(there.to_adl(), here, "{name} {args}");
    }
}

/// What people copy is short.
#[test]
fn the_example_is_short() {
    let text = include_str!("../../../../examples/grid/runtime.py");
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    assert!(lines < 150, "{lines} lines");
}
