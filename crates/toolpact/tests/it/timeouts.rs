//! Calls that take too long, and calls that nobody waits for any more.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::{Completed, Context, Definition, Registry, ToolError, call::CallLimits, testing};

use crate::support::{LONG, call, contract, session, soon, value};
use crate::world::{Place as _, SHORT_MS, leaves_out};

/// Time for a tool to begin, and no more.
const SHORT: Duration = Duration::from_millis(SHORT_MS);

/// A tool that only ends when it is told to, and says so.
struct Patient {
    begun: Arc<Semaphore>,
    stopped: Arc<Semaphore>,
}

impl Patient {
    fn new(more: &str) -> (Self, Definition) {
        let patient = Self {
            begun: Arc::new(Semaphore::new(0)),
            stopped: Arc::new(Semaphore::new(0)),
        };
        let (begun, stopped) = (patient.begun.clone(), patient.stopped.clone());
        let contract = contract("patient", &format!(r#""returns": "VoidResult"{more}"#));
        let tool = Definition::new(contract, move |_: Value, cx: Context| {
            let (begun, stopped) = (begun.clone(), stopped.clone());
            async move {
                begun.add_permits(1);
                cx.cancelled().await;
                stopped.add_permits(1);
                Ok::<_, ToolError>(value(r#"{"success": true}"#))
            }
        });
        (patient, tool)
    }

    async fn has_begun(&self) {
        soon(self.begun.acquire()).await.unwrap().forget();
    }

    /// The tool has been told that nobody waits.
    async fn was_stopped(&self) {
        soon(self.stopped.acquire()).await.unwrap().forget();
    }
}

fn is_timeout(completed: &Completed) {
    testing::assert_failure(completed, ErrorKind::TimedOut);
    let adm = completed.to_adm().unwrap().to_json();
    assert!(adm.contains(r#""type":"SERVICE_UNAVAILABLE""#), "{adm}");
    assert_eq!(completed.error().unwrap().code(), "INTERNAL_TIMEOUT");
}

#[tokio::test]
async fn the_contract_says_how_long() {
    let (patient, tool) = Patient::new(&format!(r#", "timeout_ms": {SHORT_MS}"#));
    is_timeout(&soon(session(tool).call(call("patient"))).await);
    patient.was_stopped().await;
}

#[tokio::test]
async fn the_call_says_how_long() {
    let (patient, tool) = Patient::new(r#", "timeout_ms": 3600000"#);
    let session = session(tool);
    is_timeout(&soon(session.call(call("patient").timeout(SHORT))).await);
    patient.was_stopped().await;
    let until = call("patient").deadline(Instant::now() + SHORT);
    is_timeout(&soon(session.call(until)).await);
    patient.was_stopped().await;
    // The earlier of the two.
    let both = call("patient")
        .timeout(SHORT)
        .deadline(Instant::now() + LONG * 60);
    is_timeout(&soon(session.call(both)).await);
}

/// A caller can only shorten what the contract, or the tool, allows.
#[tokio::test]
async fn a_call_cannot_extend_its_time() {
    let long = || call("patient").timeout(LONG * 60);
    let (patient, tool) = Patient::new(&format!(r#", "timeout_ms": {SHORT_MS}"#));
    is_timeout(&soon(session(tool).call(long())).await);
    patient.was_stopped().await;
    let (patient, tool) = Patient::new("");
    let tool = tool.limits(CallLimits::default().timeout(SHORT));
    is_timeout(&soon(session(tool).call(long())).await);
    patient.was_stopped().await;
}

#[tokio::test]
async fn limits_say_how_long() {
    let (_, tool) = Patient::new("");
    let short = CallLimits::default().timeout(SHORT);
    is_timeout(&soon(session(tool.limits(short.clone())).call(call("patient"))).await);
    let (_, tool) = Patient::new("");
    let registry = Registry::new();
    registry.place(tool).unwrap();
    let session = registry.session().limits(short).open().unwrap();
    // What the session says, a call cannot extend.
    let long = call("patient").timeout(LONG * 60);
    is_timeout(&soon(session.call(long)).await);
}

#[tokio::test]
async fn what_is_late_already_is_not_begun() {
    let contract = contract("quick", r#""returns": "NumberValue""#);
    let fake = testing::fake_value(contract, value("1"));
    let calls = fake.calls();
    let session = session(fake);
    is_timeout(&session.call(call("quick").deadline(Instant::now())).await);
    is_timeout(&session.call(call("quick").timeout(Duration::ZERO)).await);
    assert_eq!(calls.count(), 0);
}

#[tokio::test]
async fn the_tool_knows_its_deadline() {
    if leaves_out("timeouts::the_tool_knows_its_deadline") {
        return;
    }
    let deadline = Instant::now() + LONG;
    let contract = contract("clock", r#""returns": "BooleanValue""#);
    let tool = Definition::new(contract, move |_: Value, cx: Context| {
        let known = cx.deadline() == Some(deadline) && cx.call_id() == Some("c1");
        std::future::ready(Ok::<_, ToolError>(value(if known {
            "true"
        } else {
            "false"
        })))
    });
    let limits = CallLimits::default().timeout(Duration::MAX);
    let registry = Registry::new();
    registry.place(tool.limits(limits.clone())).unwrap();
    let session = registry.session().limits(limits).open().unwrap();
    let completed = session
        .call(call("clock").deadline(deadline).id("c1"))
        .await;
    assert_eq!(completed.to_value(), Some(value("true")));
}

fn is_cancelled(completed: &Completed) {
    testing::assert_failure(completed, ErrorKind::Cancelled);
    let adm = completed.to_adm().unwrap().to_json();
    assert!(adm.contains(r#""type":"CANCELLED""#), "{adm}");
}

#[tokio::test]
async fn cancelling_reaches_the_tool() {
    let (patient, tool) = Patient::new("");
    let session = session(tool);
    let token = CancellationToken::new();
    let cancel = async {
        patient.has_begun().await;
        token.cancel();
    };
    let call = session.call(call("patient").cancelled_by(&token));
    let (completed, ()) = soon(async { tokio::join!(call, cancel) }).await;
    is_cancelled(&completed);
    patient.was_stopped().await;
}

#[tokio::test]
async fn what_is_cancelled_already_is_not_begun() {
    let (patient, tool) = Patient::new("");
    let token = CancellationToken::new();
    token.cancel();
    let completed = soon(session(tool).call(call("patient").cancelled_by(&token))).await;
    is_cancelled(&completed);
    assert_eq!(patient.begun.available_permits(), 0);
}

#[tokio::test]
async fn closing_a_session_cancels_its_calls() {
    let (patient, tool) = Patient::new("");
    let registry = Registry::new();
    registry.place(tool).unwrap();
    let [session, other] = [(); 2].map(|()| registry.session().open().unwrap());
    let close = async {
        patient.has_begun().await;
        session.close();
    };
    let (completed, ()) = soon(async { tokio::join!(session.call(call("patient")), close) }).await;
    is_cancelled(&completed);
    patient.was_stopped().await;
    // It stays closed, and the others do not.
    is_cancelled(&session.call(call("patient")).await);
    let brief = other.call(call("patient").timeout(SHORT));
    is_timeout(&soon(brief).await);
}

#[tokio::test]
async fn dropping_a_call_cancels_it() {
    let (patient, tool) = Patient::new("");
    let session = session(tool);
    let task = tokio::spawn(async move { session.call(call("patient")).await });
    patient.has_begun().await;
    // With the task goes the last handle of the session, too.
    task.abort();
    patient.was_stopped().await;
}
