//! Calls that are allowed and recorded, and that their caller runs itself.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::define::UntypedOutput;
use toolpact::testing::{self, Calls};
use toolpact::{
    Call, Registry, Session, ToolError,
    call::{CallGuard, Decision, Proposal},
    observe::{JsonLines, LoggedCall, read_lines},
    session::AuthorizedCall,
};

use crate::support::{call, contract, soon, value};
use crate::world::Place as _;

/// What was written.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Lines {
    /// The outcomes that were recorded.
    fn outcomes(&self) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        let lines = read_lines::<LoggedCall>(text.as_bytes());
        lines.map(|line| line.unwrap().outcome).collect()
    }
}

/// A tool whose body no test of this file is to run.
fn open(guard: impl CallGuard + 'static) -> (Session, Calls<Value>, Lines) {
    let count = contract("count", r#""returns": "NumberValue""#);
    let tool = testing::fake_value(count, value("1"));
    let (calls, lines) = (tool.calls(), Lines::default());
    let builder = Registry::builder().guard(guard);
    let registry = builder.log(JsonLines::new(lines.clone())).build();
    registry.place(tool).unwrap();
    (registry.session().open().unwrap(), calls, lines)
}

fn all(_: &Proposal<'_>) -> Decision {
    Decision::Allow
}

async fn allowed(session: &Session, call: Call) -> AuthorizedCall {
    let allowed = soon(session.authorize(call)).await;
    allowed.unwrap_or_else(|refused| panic!("{refused:?}"))
}

fn given(json: &str) -> UntypedOutput {
    UntypedOutput::from(value(json))
}

#[tokio::test]
async fn what_is_reported_is_checked_and_recorded_and_the_body_is_not_run() {
    let (session, calls, lines) = open(all);
    let completed = allowed(&session, call("count"))
        .await
        .report(Ok(given("41")))
        .await;
    assert_eq!(completed.to_value().unwrap().text(), "41");
    let broken = allowed(&session, call("count"))
        .await
        .report(Ok(given(r#""many""#)))
        .await;
    testing::assert_failure(&broken, ErrorKind::ContractViolation);
    let failed = allowed(&session, call("count")).await;
    let failed = failed
        .report(Err(ToolError::not_found("No such thing.")))
        .await;
    testing::assert_failure(&failed, ErrorKind::NotFound);
    assert_eq!(calls.count(), 0);
    let broken = ErrorKind::ContractViolation.code();
    assert_eq!(
        lines.outcomes(),
        ["SUCCESS", broken, ErrorKind::NotFound.code()]
    );
    assert_eq!(session.running(), 0);
}

#[tokio::test]
async fn what_is_not_allowed_is_refused_and_recorded() {
    let (session, _, lines) = open(|_: &Proposal<'_>| Decision::Deny("Not today.".into()));
    let refused = soon(session.authorize(call("count"))).await.unwrap_err();
    testing::assert_failure(&refused, ErrorKind::NotAllowed);
    let wrong = Call::new("count", value(r#"{"more": 1}"#));
    let refused = soon(session.authorize(wrong)).await.unwrap_err();
    assert!(
        refused.error().unwrap().code().starts_with("VALIDATION"),
        "{refused:?}"
    );
    let refused = soon(session.authorize(call("nothing"))).await.unwrap_err();
    testing::assert_failure(&refused, ErrorKind::UnknownTool);
    assert_eq!(lines.outcomes().len(), 3, "{:?}", lines.outcomes());
}

/// Whoever was allowed something and is never heard of again: it ends at its deadline, and the record says so.
#[tokio::test]
async fn what_is_not_reported_ends_and_is_recorded() {
    let (session, _, lines) = open(all);
    let short = || call("count").timeout(Duration::from_millis(50));
    let late = allowed(&session, short()).await;
    assert_eq!(session.running(), 1);
    let never = std::future::pending();
    testing::assert_failure(&soon(late.run(never)).await, ErrorKind::TimedOut);
    let silent = allowed(&session, call("count")).await;
    let silent = soon(silent.run(std::future::ready(None))).await;
    testing::assert_failure(&silent, ErrorKind::DependencyFailed);
    drop(allowed(&session, call("count")).await);
    let closed = allowed(&session, call("count")).await;
    session.close();
    testing::assert_failure(
        &soon(closed.run(std::future::pending())).await,
        ErrorKind::Cancelled,
    );
    assert_eq!(lines.outcomes().len(), 4, "{:?}", lines.outcomes());
    assert_eq!(session.running(), 0);
}
