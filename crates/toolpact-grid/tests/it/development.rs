//! DEVELOPMENT mode: runtimes bring contracts along, if the host was started so.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use toolpact::core::contract::Contract;
use toolpact::returns::NumberValue;
use toolpact::{Completed, Registry, Session, tool, tools};
use toolpact_grid::{Host, Mode, RefusalReason, Runtime};

use crate::kit::{NatsServer, SOON, TestHost, call, contracts, join};

/// Adds two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> NumberValue {
    NumberValue::success(a + b)
}

/// Subtracts two numbers.
#[tool(read_only)]
async fn sub(a: i64, b: i64) -> NumberValue {
    NumberValue::success(a - b)
}

mod other {
    use super::{NumberValue, tool};

    /// Subtracts the first number from the second.
    #[tool(read_only)]
    pub(super) async fn sub(a: i64, b: i64) -> NumberValue {
        NumberValue::success(b - a)
    }
}

fn ours() -> Registry {
    let registry = Registry::new();
    registry.add(add::tool()).unwrap();
    registry
}

fn theirs() -> Registry {
    let registry = Registry::new();
    registry.add_all(tools![add, sub]).unwrap();
    registry
}

/// A host in DEVELOPMENT mode whose manifest has `add`.
async fn developing(server: &NatsServer, most: usize) -> TestHost {
    let builder = Host::builder(server.client().await).development(most);
    TestHost::with(builder, contracts(&ours())).await
}

/// A session that sees the tools of the manifest, and what was registered.
fn session_of(host: &Host) -> Session {
    let registry = Registry::new();
    registry.add_all(host.definitions()).unwrap();
    for (session, tools) in host.registered() {
        registry.toolset(&session).unwrap().add_all(tools).unwrap();
    }
    registry.session().qualified().open().unwrap()
}

/// The outcome of a call, once there is somebody to make it.
async fn called(host: &Host, name: &str, args: &str) -> Completed {
    let began = Instant::now();
    loop {
        let completed = session_of(host).call(call(name, args)).await;
        if completed.is_success() || began.elapsed() > SOON {
            return completed;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_brings_contracts_along_for_its_session() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let TestHost { host, .. } = developing(&server, 8).await;
    let mut told = host.registrations().unwrap();
    assert_eq!(host.mode(), Mode::Development);
    let builder = Runtime::builder(server.client().await).develop("ada");
    let ada = join(builder, &theirs()).await;
    assert!(
        ada.admission().unwrap().refused.is_empty(),
        "{:?}",
        ada.admission()
    );
    tokio::time::timeout(SOON, told.changed())
        .await
        .unwrap()
        .unwrap();
    // Another session has another contract of that name, which is nobody else's.
    let another = ours();
    another.add(other::sub::tool()).unwrap();
    let builder = Runtime::builder(server.client().await).develop("bob");
    let _bob = join(builder, &another).await;
    let args = r#"{"a": 5, "b": 3}"#;
    for (name, expected) in [("add", "8"), ("ada__sub", "2"), ("bob__sub", "-2")] {
        assert_eq!(called(&host, name, args).await.text(), expected, "{name}");
    }
    // Both ends check as ever.
    let wrong = session_of(&host)
        .call(call("ada__sub", r#"{"a": "x", "b": 3}"#))
        .await;
    assert!(
        wrong.error().unwrap().code().starts_with("VALIDATION"),
        "{wrong:?}"
    );
    // What was registered is gone with its runtime.
    ada.drain(SOON).await;
    let began = Instant::now();
    while host.registered().contains_key("ada") {
        // What it said last may have come after it left: then it is believed for 6 s.
        assert!(began.elapsed() < 2 * SOON, "it is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(host.registered().contains_key("bob"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strict_host_takes_nothing() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = TestHost::with(Host::builder(server.client().await), contracts(&ours())).await;
    assert_eq!(host.host.mode(), Mode::Strict);
    assert!(host.host.registrations().is_none());
    let builder = Runtime::builder(server.client().await).develop("ada");
    let runtime = join(builder, &theirs()).await;
    let admission = runtime.admission().unwrap();
    assert_eq!(admission.accepted, ["add".into()]);
    assert_eq!(admission.refused[0].reason, RefusalReason::NotInManifest);
    // Nor from those who ask all the same.
    let [sub] = contracts(&theirs()).split_off(1).try_into().unwrap();
    let answer = register(&server, &host.host, "liar", "ada", &[sub]).await;
    assert_eq!(answer["status"], "FAILURE");
    assert_eq!(answer["refused"][0]["reason"], "STRICT_MODE");
    assert!(host.host.registered().is_empty());
}

/// What a host answers to a plain client.
async fn register(
    server: &NatsServer,
    host: &Host,
    runtime: &str,
    session: &str,
    contracts: &[Contract],
) -> Json {
    let contracts = contracts.iter();
    let contracts: Vec<Json> = contracts
        .map(|contract| serde_json::from_str(&contract.to_canonical()).unwrap())
        .collect();
    let asked = json!({"runtime": runtime, "session": session, "contracts": contracts});
    ask(server, host, &asked).await
}

async fn ask(server: &NatsServer, host: &Host, asked: &Json) -> Json {
    let subject = format!("toolpact.v1.register.{}", host.id());
    let client = server.client().await;
    let answer = client
        .request(subject, asked.to_string().into())
        .await
        .unwrap();
    serde_json::from_slice(&answer.payload).unwrap()
}

fn reasons(answer: &Json) -> Vec<&str> {
    let refused = answer["refused"].as_array().unwrap().iter();
    refused.map(|one| one["reason"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_registered_is_refused_for_itself() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let TestHost { host, .. } = developing(&server, 2).await;
    let [add, sub] = contracts(&theirs()).try_into().unwrap();
    let named = |name: &str| sub.renamed(toolpact::core::model::ToolName::new(name).unwrap());
    // The name of a contract of the host, and one too many.
    let all = [add, named("a"), named("b"), named("c")];
    let answer = register(&server, &host, "r1", "ada", &all).await;
    assert_eq!(answer["status"], "PARTIAL_SUCCESS");
    assert_eq!(answer["registered"], json!(["a", "b"]));
    assert_eq!(reasons(&answer), ["IN_MANIFEST", "TOO_MANY"]);
    // Others of the session cannot change what a name means, nor have more together.
    let registry = Registry::new();
    registry.add(other::sub::tool()).unwrap();
    let different = contracts(&registry).remove(0);
    let different = different.renamed(toolpact::core::model::ToolName::new("a").unwrap());
    let answer = register(
        &server,
        &host,
        "r2",
        "ada",
        &[different, named("b"), named("d")],
    )
    .await;
    assert_eq!(answer["registered"], json!(["b"]));
    assert_eq!(reasons(&answer), ["DIGEST_DIFFERS", "TOO_MANY"]);
    // What is no contract is named if it has a name.
    let asked = json!({"runtime": "r3", "session": "eve", "contracts": [{"name": "x"}, 5]});
    let answer = ask(&server, &host, &asked).await;
    assert_eq!(answer["status"], "FAILURE");
    assert_eq!(reasons(&answer), ["NO_CONTRACT", "NO_CONTRACT"]);
    assert_eq!(answer["refused"][0]["name"], "x");
    let sessions: Vec<_> = host.registered().into_keys().collect();
    assert_eq!(sessions, ["ada".into()]);
    // Nobody runs it: that is said at once.
    let nobody = session_of(&host)
        .call(call("ada__a", r#"{"a": 1, "b": 1}"#))
        .await;
    assert_eq!(crate::kit::grid_reason(&nobody), "no_runtime");
}
