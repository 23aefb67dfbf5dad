//! What cannot be done is said at once, with an error that says what it is: never by a time-out.

use std::time::{Duration, Instant};

use toolpact::returns::StringValue;
use toolpact::{Completed, Registry, tool};
use toolpact_grid::async_nats::ConnectOptions;
use toolpact_grid::{Host, HostKey, HostKeys, Runtime, connect_with};

use crate::kit::{self, NatsServer, SOON, TestHost, contracts, in_time, join, pair, runtime};
use crate::liars::{lie, message};
use crate::protocol::{BODY, PlainHost, code};

/// What is promised. Machines that run tests are busy: most of some calls have to keep it.
const PROMISED: Duration = Duration::from_millis(100);
const TRIES: usize = 15;

const ADD: (&str, &str) = ("add", r#"{"a": 1, "b": 2}"#);

/// What of the grid failed, or else the code.
fn reason(completed: &Completed) -> String {
    let Some(error) = completed.error() else {
        return format!("{completed:?}");
    };
    let grid = error.as_standard().detail("grid");
    grid.map_or_else(
        || error.code().to_owned(),
        |grid| grid.text().trim_matches('"').to_owned(),
    )
}

async fn refused(host: &TestHost, (name, args): (&str, &str), expected: &str) {
    let mut took = Vec::new();
    for _ in 0..TRIES {
        let start = Instant::now();
        let completed = host.call(name, args).await;
        took.push(start.elapsed());
        assert_eq!(reason(&completed), expected);
    }
    in_time("a refusal", took, PROMISED);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_runtime() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    refused(&TestHost::open(&server).await, ADD, "no_runtime").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_contract() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    refused(&host, ("subtract", "{}"), "NOT_FOUND_ENDPOINT").await;
}

/// Nobody fulfils it: who offers another contract of that name is not called.
#[tokio::test(flavor = "multi_thread")]
async fn a_different_contract() {
    mod other {
        use super::{StringValue, tool};

        /// Concatenates two texts.
        #[tool(read_only)]
        pub(super) async fn add(a: String, b: String) -> StringValue {
            StringValue::success(a + &b)
        }
    }
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::open(&server).await;
    let registry = Registry::new();
    registry.add(other::add::tool()).unwrap();
    let runtime = join(Runtime::builder(server.client().await), &registry).await;
    assert!(runtime.admission().unwrap().accepted.is_empty());
    refused(&host, ADD, "no_runtime").await;
}

/// The server does not tell a host that its runtime was not allowed to answer, so a runtime has to show that it is.
#[tokio::test(flavor = "multi_thread")]
async fn no_permission_to_answer() {
    let Some(server) = NatsServer::with_settings(
        r#"authorization { users = [
               {user: host, password: h},
               {user: mute, password: m, permissions: {publish: {deny: ["toolpact.v1.reply.>"]}}}
           ] }"#,
    ) else {
        return;
    };
    let client = async |user: &str, password: &str| {
        let options = ConnectOptions::with_user_and_password(user.into(), password.into());
        connect_with(options, server.url()).await.unwrap()
    };
    let contracts = contracts(&kit::registry());
    let host = TestHost::with(Host::builder(client("host", "h").await), contracts).await;
    let _mute = join(
        Runtime::builder(client("mute", "m").await),
        &kit::registry(),
    )
    .await;
    let known = async {
        while reason(&host.call(ADD.0, ADD.1).await) != "no_permission" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(SOON * 2, known).await.unwrap();
    refused(&host, ADD, "no_permission").await;
    // It is in nobody's way.
    let _other = join(
        Runtime::builder(client("host", "h").await),
        &kit::registry(),
    )
    .await;
    let there = async {
        while !host.call(ADD.0, ADD.1).await.is_success() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(SOON * 2, there).await.unwrap();
}

/// Longer than a message, and longer than the host takes in parts.
#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_is_too_large() {
    let Some(server) = NatsServer::with_settings("max_payload: 65536") else {
        return;
    };
    let builder = Host::builder(server.client().await).result_bytes(20_000);
    let host = TestHost::with(builder, contracts(&kit::registry())).await;
    let _runtime = runtime(&server).await;
    assert!(host.host.wait_for("words", SOON).await);
    let call = ("words", r#"{"count": 15000}"#);
    refused(&host, call, "INTERNAL_RESULT_SIZE").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_are_too_large() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let args = format!(r#"{{"ms": 0, "name": "{}"}}"#, "x".repeat(1 << 20));
    refused(&host, ("effect", &args), "arguments_too_long").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn draining() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, runtime) = pair(&server).await;
    host.host.drain(runtime.id());
    runtime.told_to_drain().await;
    refused(&host, ADD, "draining").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_breaker_that_is_open() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::open(&server).await;
    let wrong = message(&[("Toolpact-Seq", "7")], "");
    let _liar = lie(server.client().await, vec![wrong]).await;
    assert!(host.host.wait_for("effect", SOON).await);
    let call = ("effect", r#"{"ms": 0, "name": "x"}"#);
    for _ in 0..5 {
        assert_eq!(reason(&host.call(call.0, call.1).await), "malformed");
    }
    refused(&host, call, "breaker_open").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_signature() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let known = HostKey::from_seed("h1", &[7; 32]).unwrap();
    let keys = HostKeys::new().add("h1", &known.public()).unwrap();
    let thief = HostKey::from_seed("h1", &[8; 32]).unwrap();
    let builder = Host::builder(server.client().await).key(thief);
    let host = TestHost::with(builder, contracts(&kit::registry())).await;
    let runtime = Runtime::builder(server.client().await).host_keys(keys);
    let _runtime = join(runtime, &kit::registry()).await;
    assert!(host.host.wait_for("add", SOON).await);
    refused(&host, ADD, "identity_refused").await;
}

/// No host does that: this one is written for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_replayed_invocation() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let _host = TestHost::open(&server).await;
    let runtime = runtime(&server).await;
    let host = PlainHost::of(&server, &runtime).await;
    let headers = host.headers(1);
    host.call(headers.clone(), BODY).await;
    let mut took = Vec::new();
    for _ in 0..TRIES {
        let start = Instant::now();
        let again = host.call(headers.clone(), BODY).await;
        took.push(start.elapsed());
        assert_eq!(code(&again), "CONFLICT_DUPLICATE");
    }
    in_time("a refusal", took, PROMISED);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_server() {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    server.kill();
    tokio::time::sleep(Duration::from_millis(200)).await;
    refused(&host, ADD, "disconnected").await;
}
