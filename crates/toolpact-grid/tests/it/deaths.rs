//! What happens when something dies.

use std::path::Path;
use std::time::{Duration, Instant};

use toolpact_grid::{Runtime, connect};

use crate::kit::{
    self, AT_ONCE, EFFECTS, NatsServer, Process, SOON, TestHost, call, grid_reason, join, pair,
};

const SERVER: &str = "GRID_TEST_SERVER";

/// Not a test: the process of a runtime, which tests start and kill.
#[tokio::test(flavor = "multi_thread")]
async fn runtime_process() {
    let Ok(server) = std::env::var(SERVER) else {
        return;
    };
    let client = connect(&server).await.unwrap();
    let _runtime = join(Runtime::builder(client), &kit::registry()).await;
    std::future::pending::<()>().await;
}

fn start(server: &NatsServer, effects: &Path) -> Process {
    let effects = effects.to_str().unwrap().to_owned();
    let variables = [(SERVER, server.url().to_owned()), (EFFECTS, effects)];
    Process::start("deaths::runtime_process", &variables)
}

fn effects(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

async fn until(what: impl Fn() -> bool) {
    let wait = async {
        while !what() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(SOON, wait).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_that_is_killed_is_noticed_and_its_call_is_not_repeated() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("effects");
    let host = TestHost::open(&server).await;
    let first = start(&server, &file);
    assert!(host.host.wait_for("effect", SOON).await);
    let calling = host
        .session
        .call(call("effect", r#"{"ms": 30000, "name": "x"}"#));
    let killing = async {
        until(|| !effects(&file).is_empty()).await;
        let second = start(&server, &file);
        until(|| host.host.runtimes().len() == 2).await;
        let start = Instant::now();
        first.signal("-KILL");
        (second, start)
    };
    let (completed, (_second, start)) = tokio::join!(calling, killing);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!(grid_reason(&completed), "runtime_lost");
    assert_eq!(effects(&file), ["began x"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_may_be_repeated_goes_to_another_runtime() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("effects");
    let host = TestHost::open(&server).await;
    let first = start(&server, &file);
    assert!(host.host.wait_for("repeatable_effect", SOON).await);
    let calling = host
        .session
        .call(call("repeatable_effect", r#"{"ms": 1000, "name": "x"}"#));
    let killing = async {
        until(|| !effects(&file).is_empty()).await;
        let second = start(&server, &file);
        until(|| host.host.runtimes().len() == 2).await;
        first.signal("-KILL");
        second
    };
    let (completed, second) = tokio::join!(calling, killing);
    assert_eq!(completed.text(), second.id().to_string(), "{completed:?}");
    assert_eq!(effects(&file), ["began x", "began x", "did x"]);
}

/// What is delivered to a runtime after its host gave the call up is not begun.
#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_that_was_stopped_does_not_begin_late() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("effects");
    let host = TestHost::open(&server).await;
    let process = start(&server, &file);
    assert!(host.host.wait_for("effect", SOON).await);
    process.stop();
    let start = Instant::now();
    let completed = host.call("effect", r#"{"ms": 0, "name": "x"}"#).await;
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!(grid_reason(&completed), "runtime_lost");
    process.signal("-CONT");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(effects(&file).is_empty(), "{:?}", effects(&file));
    // It is asked again as soon as it says that it is there.
    let again = host.call("effect", r#"{"ms": 0, "name": "y"}"#).await;
    assert!(again.is_success(), "{again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_server_is_away_calls_are_refused_and_then_go_on() {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    server.kill();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let start = Instant::now();
    let completed = host.call("add", r#"{"a": 1, "b": 2}"#).await;
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
    assert_eq!(grid_reason(&completed), "disconnected");
    server.restart();
    let start = Instant::now();
    while !host.call("add", r#"{"a": 1, "b": 2}"#).await.is_success() {
        assert!(
            start.elapsed() < Duration::from_secs(15),
            "they do not come back"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
