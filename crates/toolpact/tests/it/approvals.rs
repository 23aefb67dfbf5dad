//! People who take their time.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use toolpact::call::{Answer, Approver, CallLimits, Decision, Proposal, Verdict};
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::observe::{CallLog, CallRecord, LoggedCall};
use toolpact::testing::{self, Calls};
use toolpact::{Principal, Registry, Session};

use crate::support::{call, contract, soon, value};
use crate::world::Place as _;

/// Says something after a while.
struct Slow {
    after: Duration,
    patience: Option<Duration>,
    say: fn() -> Answer,
    dropped: Arc<Notify>,
}

/// Tells when nobody waits for the answer any more.
struct Dropped(Arc<Notify>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl Slow {
    fn new(after_ms: u64, patience_ms: Option<u64>, say: fn() -> Answer) -> Self {
        Self {
            after: Duration::from_millis(after_ms),
            patience: patience_ms.map(Duration::from_millis),
            say,
            dropped: Arc::default(),
        }
    }
}

impl Approver for Slow {
    fn approve<'a>(
        &'a self,
        _: &'a Proposal<'a>,
        _: &'a str,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(async {
            let _dropped = Dropped(Arc::clone(&self.dropped));
            tokio::time::sleep(self.after).await;
            (self.say)()
        })
    }

    fn patience(&self) -> Option<Duration> {
        self.patience
    }
}

/// What was logged last.
#[derive(Clone, Default)]
struct Log(Arc<std::sync::Mutex<Vec<LoggedCall>>>);

impl CallLog for Log {
    fn write(&self, record: &CallRecord<'_>) {
        let mut line = Vec::new();
        record.write_json(&toolpact::observe::CallDetails::default(), &mut line);
        let line = serde_json::from_slice(&line).unwrap();
        self.0.lock().unwrap().push(line);
    }
}

/// A tool that may take 300 ms and about which somebody has to be asked.
fn asked(approver: Slow) -> (Session, Calls<Value>, Log) {
    let log = Log::default();
    let registry = Registry::builder()
        .limits(CallLimits::default().timeout(Duration::from_millis(300)))
        .guard(|_: &Proposal<'_>| Decision::Ask("May it?".to_owned()))
        .log(log.clone())
        .approver(approver)
        .build();
    let more = r#""returns": "VoidResult""#;
    let tool = testing::fake_value(contract("wipe", more), value(r#"{"success": true}"#));
    let calls = tool.calls();
    registry.place_all([tool]).unwrap();
    (registry.session().open().unwrap(), calls, log)
}

fn detail(completed: &toolpact::Completed) -> String {
    let error = completed.error().unwrap().to_standard();
    error.detail("approval").unwrap().text().to_owned()
}

#[tokio::test]
async fn who_decides_may_take_longer_than_the_tool() {
    let slow = Slow::new(600, Some(60_000), || {
        Answer::approved().by(Principal::new("bob").with_tenant("acme"))
    });
    let (session, calls, log) = asked(slow);
    testing::assert_success(&soon(session.call(call("wipe"))).await);
    assert_eq!(calls.count(), 1);
    let line = log.0.lock().unwrap().pop().unwrap();
    let decision = line.decision.unwrap();
    assert_eq!(decision.verdict, Verdict::Approved);
    let approval = decision.approval.unwrap();
    assert_eq!(approval.by.to_string(), "bob@acme");
    assert!(approval.time.starts_with("20"), "{}", approval.time);
}

#[tokio::test]
async fn without_patience_the_time_of_the_tool_is_all_there_is() {
    let (session, calls, log) = asked(Slow::new(60_000, None, Answer::approved));
    let completed = soon(session.call(call("wipe"))).await;
    testing::assert_failure(&completed, ErrorKind::NotAllowed);
    assert_eq!(
        (detail(&completed).as_str(), calls.count()),
        ("\"expired\"", 0)
    );
    let line = log.0.lock().unwrap().pop().unwrap();
    assert_eq!(line.decision.unwrap().verdict, Verdict::Expired);
}

#[tokio::test]
async fn patience_ends() {
    let (session, calls, _) = asked(Slow::new(60_000, Some(50), Answer::approved));
    let completed = soon(session.call(call("wipe"))).await;
    testing::assert_failure(&completed, ErrorKind::NotAllowed);
    let message = completed.error().unwrap().message().to_owned();
    assert_eq!(
        message,
        "This needs an approval, and nobody gave it in time."
    );
    assert_eq!(
        (detail(&completed).as_str(), calls.count()),
        ("\"expired\"", 0)
    );
}

#[tokio::test]
async fn the_caller_can_be_less_patient() {
    let (session, ..) = asked(Slow::new(60_000, Some(60_000), Answer::approved));
    let hurried = call("wipe").timeout(Duration::from_millis(50));
    let completed = soon(session.call(hurried)).await;
    assert_eq!(detail(&completed), "\"expired\"");
    let slow = Slow::new(60_000, Some(u64::MAX), Answer::approved);
    let (dropped, cancel) = (Arc::clone(&slow.dropped), CancellationToken::new());
    let (session, ..) = asked(slow);
    let cancelled = call("wipe").cancelled_by(&cancel);
    let calling = async { session.call(cancelled).await };
    let cancelling = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
        dropped.notified().await;
    };
    let (completed, ()) = soon(async { tokio::join!(calling, cancelling) }).await;
    testing::assert_failure(&completed, ErrorKind::Cancelled);
}

#[tokio::test]
async fn what_was_said_is_told() {
    for (say, message, expected) in [
        (
            (|| Answer::denied().because("Not on Sundays.")) as fn() -> Answer,
            "This needs an approval, and it was denied: Not on Sundays.",
            "\"denied\"",
        ),
        (
            Answer::denied,
            "This needs an approval, and it was not given.",
            "\"denied\"",
        ),
        (
            Answer::unavailable,
            "This needs an approval, and there is nobody who could give it.",
            "\"unavailable\"",
        ),
    ] {
        let (session, calls, _) = asked(Slow::new(0, Some(60_000), say));
        let completed = soon(session.call(call("wipe"))).await;
        testing::assert_failure(&completed, ErrorKind::NotAllowed);
        assert_eq!(completed.error().unwrap().message(), message);
        assert_eq!((detail(&completed).as_str(), calls.count()), (expected, 0));
    }
    let not_now = || Answer::not_now(toolpact::ToolError::new(ErrorKind::TooManyAtOnce, "Later."));
    let (session, ..) = asked(Slow::new(0, None, not_now));
    let completed = soon(session.call(call("wipe"))).await;
    testing::assert_failure(&completed, ErrorKind::TooManyAtOnce);
}
