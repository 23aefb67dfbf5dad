//! Durable calls, and their outcomes.

use std::path::Path;
use std::time::Duration;

use toolpact::core::returns::ErrorKind;
use toolpact::returns::{NumberValue, OperationState, Progress, StringValue};
use toolpact::{Call, Completed, Context, Principal, Registry, Session, ToolError, tool, tools};
use toolpact_grid::{Durable, DurableCalls, Host, Operation, Runtime};

use crate::faults::{Ledger, RUNTIME, runtime_variables};
use crate::kit::{NatsServer, Process, SOON, TestHost, call, contracts, grid_reason, join};

/// Adds two numbers, some time later.
#[tool(durable, read_only)]
async fn add_later(a: i64, b: i64, ms: u64, cx: &Context) -> Result<NumberValue, ToolError> {
    cx.progress(Progress::default().with_percent(50)?).await;
    tokio::time::sleep(Duration::from_millis(ms)).await;
    Ok(NumberValue::success(a + b))
}

/// Divides two numbers.
#[tool(durable, read_only)]
async fn divide_later(a: i64, b: i64) -> Result<NumberValue, ToolError> {
    let quotient = a.checked_div(b);
    let error = || ToolError::business_rule("Nobody divides by zero.").with_detail("b", b);
    Ok(NumberValue::success(quotient.ok_or_else(error)?))
}

/// Makes many words.
#[tool(durable, read_only)]
async fn words_later(count: usize) -> StringValue {
    StringValue::success("word ".repeat(count))
}

/// Says who calls, as an ordinary call.
#[tool(read_only)]
async fn whoami_now(cx: &Context) -> StringValue {
    StringValue::success(cx.principal().name())
}

fn registry() -> Registry {
    let registry = Registry::new();
    let all = tools![add_later, divide_later, words_later, whoami_now];
    registry.add_all(all).unwrap();
    registry
}

async fn host_of(server: &NatsServer, registry: &Registry) -> TestHost {
    TestHost::with(Host::builder(server.client().await), contracts(registry)).await
}

async fn runtime_of(server: &NatsServer, registry: &Registry) -> Runtime {
    join(Runtime::builder(server.client().await), registry).await
}

fn operation_of(completed: &Completed) -> String {
    let error = completed.error().unwrap_or_else(|| panic!("{completed:?}"));
    let id = error.as_standard().detail("operation").unwrap();
    id.text().trim_matches('"').to_owned()
}

/// Waits until a call is over.
async fn outcome_of(host: &Host, id: &str, principal: &Principal) -> Operation {
    let wait = async {
        loop {
            let operation = host.outcome(id, principal).await.unwrap();
            if operation.outcome.is_some() {
                return operation;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), wait)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_durable_call_has_the_outcome_of_any_other() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = host_of(&server, &registry()).await;
    let _runtime = runtime_of(&server, &registry()).await;
    let sum = host.call("add_later", r#"{"a": 1, "b": 2, "ms": 0}"#).await;
    assert_eq!(sum.text(), "3", "{sum:?}");
    let error = host.call("divide_later", r#"{"a": 1, "b": 0}"#).await;
    let error = error.error().unwrap();
    assert_eq!(error.kind(), ErrorKind::BusinessRule);
    assert_eq!(error.as_standard().detail("b").unwrap().text(), "0");
    // Longer than a message.
    let long = host.call("words_later", r#"{"count": 500000}"#).await;
    let value = long.to_value().unwrap();
    assert_eq!(value.root().get("value").unwrap().text().len(), 2_500_002);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_the_id_and_made_the_call_gets_its_outcome() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let registry = registry();
    let host = host_of(&server, &registry).await;
    let (ada, bob) = (Principal::new("ada"), Principal::new("bob"));
    let session = host.session.fork_for(ada.clone());
    // No runtime is there yet.
    let add = call("add_later", r#"{"a": 1, "b": 2, "ms": 1500}"#);
    let queued = session
        .call(add.with(Durable::new().without_waiting()))
        .await;
    assert_eq!(grid_reason(&queued), "pending");
    let id = operation_of(&queued);
    let pending = host.host.outcome(&id, &ada).await.unwrap();
    let state = pending.to_status().unwrap().into_state();
    assert_eq!(state, OperationState::Pending);
    let refused = host.host.outcome(&id, &bob).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotFound);

    let _runtime = runtime_of(&server, &registry).await;
    let running = async {
        loop {
            let operation = host.host.outcome(&id, &ada).await.unwrap();
            if let Some(progress) = operation.progress {
                return progress;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let progress = tokio::time::timeout(SOON, running).await.unwrap();
    assert_eq!(progress.percent(), Some(50));
    // Another host knows as much.
    let other = host_of(&server, &registry).await;
    drop(host);
    let operation = outcome_of(&other.host, &id, &ada).await;
    let status = operation.to_status().unwrap();
    assert_eq!(status.operation_id(), id);
    let OperationState::Completed(value) = status.into_state() else {
        panic!("{operation:?}");
    };
    assert_eq!(value.to_string(), r#"{"success":true,"value":3}"#);
    assert!(other.host.outcome(&"0".repeat(32), &ada).await.is_err());
    assert!(other.host.outcome("*", &ada).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_does_not_wait_any_more_is_told_the_operation() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = host_of(&server, &registry()).await;
    let _runtime = runtime_of(&server, &registry()).await;
    let slow = call("add_later", r#"{"a": 2, "b": 2, "ms": 2500}"#);
    let late = host
        .session
        .call(slow.timeout(Duration::from_millis(800)))
        .await;
    assert_eq!(grid_reason(&late), "pending");
    let id = operation_of(&late);
    assert!(late.text().contains(&id), "{}", late.text());
    let operation = outcome_of(&host.host, &id, &Principal::anonymous()).await;
    let value = operation.outcome.unwrap().unwrap();
    assert_eq!(value.to_string(), r#"{"success":true,"value":4}"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_with_one_key_are_one_call() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(&folder.path().join("ledger"));
    let host = host_of(&server, &crate::faults::registry()).await;
    let file = folder.path().join("ledger");
    let _runtime = Process::start(RUNTIME, &runtime_variables(server.url(), &file));
    let send = |name: &str, key: &str| {
        let args = format!(r#"{{"name": "{name}", "ms": 0}}"#);
        let call = call("send", &args).with(Durable::new().key(key));
        call.timeout(Duration::from_secs(30))
    };
    for _ in 0..3 {
        let completed = host.session.call(send("x", "1")).await;
        assert_eq!(completed.text(), "x", "{completed:?}");
    }
    assert_eq!(ledger.count("SELECT count(*) FROM effects"), 1);
    let other = host.session.call(send("y", "1")).await;
    assert_eq!(grid_reason(&other), "key_used");
    let other = host.session.call(send("y", "2")).await;
    assert!(other.is_success(), "{other:?}");
    let bob = host.session.fork_for(Principal::new("bob"));
    assert!(bob.call(send("z", "1")).await.is_success());
    assert_eq!(ledger.count("SELECT count(*) FROM effects"), 3);
}

async fn until_one_runs(ledger: &Ledger) {
    let wait = async {
        while ledger.count("SELECT count(*) FROM runs") == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), wait)
        .await
        .unwrap();
}

/// Kills the runtime that executes a call of this tool after its effect, and returns what the caller got.
async fn killed_after_the_effect(server: &NatsServer, file: &Path, tool: &str) -> Completed {
    let ledger = Ledger::open(file);
    let host = host_of(server, &crate::faults::registry()).await;
    let mut first = Process::start(RUNTIME, &runtime_variables(server.url(), file));
    let args = r#"{"name": "x", "ms": 3000}"#;
    let calling = call(tool, args).timeout(Duration::from_secs(40));
    let calling = host.session.call(calling);
    let killing = async {
        until_one_runs(&ledger).await;
        let done = async {
            while ledger
                .count("SELECT (SELECT count(*) FROM keyed) + (SELECT count(*) FROM effects)")
                == 0
            {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), done)
            .await
            .unwrap();
        first.kill();
        Process::start(RUNTIME, &runtime_variables(server.url(), file))
    };
    let (completed, _second) = tokio::join!(calling, killing);
    completed
}

#[tokio::test(flavor = "multi_thread")]
async fn with_an_idempotency_key_a_call_is_executed_again_and_takes_effect_once() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger");
    let completed = killed_after_the_effect(&server, &file, "pay").await;
    assert_eq!(completed.text(), "x", "{completed:?}");
    let ledger = Ledger::open(&file);
    assert_eq!(ledger.count("SELECT count(*) FROM runs"), 2);
    assert_eq!(ledger.count("SELECT count(*) FROM keyed"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_one_it_is_said_that_nobody_knows() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger");
    let completed = killed_after_the_effect(&server, &file, "send").await;
    assert_eq!(grid_reason(&completed), "runtime_lost");
    let ledger = Ledger::open(&file);
    assert_eq!(ledger.count("SELECT count(*) FROM runs"), 1);
    assert_eq!(ledger.count("SELECT count(*) FROM effects"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_outlives_the_server() {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    let host = host_of(&server, &registry()).await;
    let add = call("add_later", r#"{"a": 1, "b": 2, "ms": 0}"#);
    let queued = host
        .session
        .call(add.with(Durable::new().without_waiting()))
        .await;
    let id = operation_of(&queued);
    server.kill();
    server.restart();
    let again = host_of(&server, &registry()).await;
    let _runtime = runtime_of(&server, &registry()).await;
    let operation = outcome_of(&again.host, &id, &Principal::anonymous()).await;
    let value = operation.outcome.unwrap().unwrap();
    assert_eq!(value.to_string(), r#"{"success":true,"value":3}"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_executed_by_its_deadline_never_is() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let calls = DurableCalls::new().within(Duration::from_millis(300));
    let builder = Host::builder(server.client().await).durable(calls);
    let host = TestHost::with(builder, contracts(&registry())).await;
    let add = call("add_later", r#"{"a": 1, "b": 2, "ms": 0}"#);
    let queued = host
        .session
        .call(add.with(Durable::new().without_waiting()))
        .await;
    let id = operation_of(&queued);
    tokio::time::sleep(Duration::from_millis(400)).await;
    let nobody = Principal::anonymous();
    let before = host.host.outcome(&id, &nobody).await.unwrap();
    let _runtime = runtime_of(&server, &registry()).await;
    // This one was queued later, so the other was taken.
    let calls = DurableCalls::new();
    let builder = Host::builder(server.client().await).durable(calls);
    let other = TestHost::with(builder, contracts(&registry())).await;
    let sum = other
        .call("add_later", r#"{"a": 1, "b": 2, "ms": 0}"#)
        .await;
    assert!(sum.is_success(), "{sum:?}");
    let after = host.host.outcome(&id, &nobody).await.unwrap();
    for operation in [before, after] {
        let error = operation.outcome.unwrap().unwrap_err();
        assert_eq!(error.detail("grid").unwrap().text(), r#""late""#);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn durable_are_the_tools_that_say_so_and_those_that_the_host_names() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let registry = registry();
    let host = host_of(&server, &registry).await;
    let runtime = runtime_of(&server, &registry).await;
    let admission = runtime.admission().unwrap();
    let declared = ["add_later", "divide_later", "words_later"].map(Box::from);
    assert_eq!(admission.durable, declared);
    let asked = call("whoami_now", "{}").with(Durable::new());
    assert_eq!(
        grid_reason(&host.session.call(asked.clone()).await),
        "not_durable"
    );
    drop((host, runtime));

    let calls = DurableCalls::new().on_demand();
    let builder = Host::builder(server.client().await).durable(calls);
    let host = TestHost::with(builder, contracts(&registry)).await;
    let _runtime = runtime_of(&server, &registry).await;
    let session: Session = host.session.fork_for(Principal::new("ada"));
    assert!(session.call(asked).await.is_success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let calls = DurableCalls::new().most_queued(2);
    let builder = Host::builder(server.client().await).durable(calls);
    let host = TestHost::with(builder, contracts(&registry())).await;
    let add = || {
        let add: Call = call("add_later", r#"{"a": 1, "b": 2, "ms": 0}"#);
        add.with(Durable::new().without_waiting())
    };
    assert_eq!(grid_reason(&host.session.call(add()).await), "pending");
    assert_eq!(grid_reason(&host.session.call(add()).await), "pending");
    let refused = host.session.call(add()).await;
    assert_eq!(grid_reason(&refused), "queue_full");
    assert_eq!(refused.error().unwrap().kind(), ErrorKind::TooManyAtOnce);
}

/// The principal is in the queue as the host has signed it.
#[tokio::test(flavor = "multi_thread")]
async fn a_queued_call_is_signed() {
    use toolpact_grid::{HostKey, HostKeys};
    let Some(server) = NatsServer::start() else {
        return;
    };
    let registry = registry();
    let calls = || DurableCalls::new().of(["whoami_now"]);
    let key = HostKey::from_seed("h1", &[7; 32]).unwrap();
    let keys = HostKeys::new().add("h1", &key.public()).unwrap();
    let builder = Host::builder(server.client().await);
    let known = builder.durable(calls()).key(key);
    let known = TestHost::with(known, contracts(&registry)).await;
    let builder = Host::builder(server.client().await).durable(calls());
    let unknown = TestHost::with(builder, contracts(&registry)).await;
    let builder = Runtime::builder(server.client().await).host_keys(keys);
    let _runtime = join(builder, &registry).await;
    let ada = Principal::new("ada");
    let who = known
        .session
        .fork_for(ada.clone())
        .call(call("whoami_now", "{}"))
        .await;
    assert_eq!(who.text(), "ada", "{who:?}");
    let who = unknown
        .session
        .fork_for(ada)
        .call(call("whoami_now", "{}"))
        .await;
    assert_eq!(grid_reason(&who), "identity_refused");
}

/// An outcome that a runtime of another kind has written is not believed.
#[tokio::test(flavor = "multi_thread")]
async fn a_stored_result_is_checked_against_the_contract() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = host_of(&server, &registry()).await;
    let add = call("add_later", r#"{"a": 1, "b": 2, "ms": 0}"#);
    let queued = host
        .session
        .call(add.with(Durable::new().without_waiting()))
        .await;
    let id = operation_of(&queued);
    let jetstream = toolpact_grid::async_nats::jetstream::new(server.client().await);
    let store = jetstream
        .get_key_value("toolpact_v1_operations")
        .await
        .unwrap();
    let lie = r#"{"runtime": "liar", "attempt": 1, "at": 1, "result": {"name": "add_later",
        "status": "SUCCESS", "content": {"success": true, "value": "three"}}}"#;
    store
        .create(format!("{id}.outcome"), lie.into())
        .await
        .unwrap();
    let operation = host
        .host
        .outcome(&id, &Principal::anonymous())
        .await
        .unwrap();
    let error = operation.outcome.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ContractViolation);
}

/// The same over whatever way in calls tools.
#[tokio::test(flavor = "multi_thread")]
async fn a_tool_says_what_came_of_an_operation() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let host = host_of(&server, &registry()).await;
    let _runtime = runtime_of(&server, &registry()).await;
    let with_tool = Registry::new();
    with_tool.add_all(host.host.definitions()).unwrap();
    let tool = host.host.operation_tool("operation").unwrap();
    with_tool.add(tool).unwrap();
    let session = with_tool.session().principal(Principal::new("ada"));
    let session = session.open().unwrap();
    let ask = async |session: &Session, id: &str| {
        let args = format!(r#"{{"operation_id": "{id}"}}"#);
        session.call(call("operation", &args)).await
    };
    for (args, status) in [
        (r#"{"a": 4, "b": 2}"#, "completed"),
        (r#"{"a": 4, "b": 0}"#, "failed"),
    ] {
        let divide = call("divide_later", args).with(Durable::new().without_waiting());
        let id = operation_of(&session.call(divide).await);
        outcome_of(&host.host, &id, &Principal::new("ada")).await;
        let said = ask(&session, &id).await.to_value().unwrap();
        let text = said.root().get("status").unwrap();
        assert_eq!(text.as_str().unwrap(), status, "{said}");
        let other = ask(&session.fork_for(Principal::new("bob")), &id).await;
        assert_eq!(other.error().unwrap().kind(), ErrorKind::NotFound);
    }
    assert!(host.host.operation_tool("no name").is_err());
}
