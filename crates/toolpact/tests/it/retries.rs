//! Calls that failed are tried again only where the table of errors allows it.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolpact::core::returns::{ErrorKind, Retry};
use toolpact::testing;
use toolpact::{
    Completed, Registry, ToolError,
    call::{CallLimits, Pauses, Retries},
    define::IntoDefinition as _,
};

use crate::support::{call, contract, session, soon, value};
use crate::world::Place as _;

const NOW: Duration = Duration::ZERO;

/// Calls a tool that always fails like this, and counts how often it ran.
async fn attempts(effects: &str, error: fn() -> ToolError, retries: Retries) -> (Completed, usize) {
    let more = format!(r#""returns": "NumberValue", "effects": {{{effects}}}"#);
    let fake = testing::fake_contract(contract("failing", &more), move |_| {
        Err::<toolpact::core::json::Value, _>(error())
    });
    let calls = fake.calls();
    let tool = fake.into_definition().unwrap();
    let session = session(tool.limits(CallLimits::default().retries(retries)));
    let completed = soon(session.call(call("failing"))).await;
    (completed, calls.count())
}

async fn attempts_of_kind(kind: ErrorKind, effects: &str) -> usize {
    attempts_with(kind, effects, Retries::new(2, NOW)).await
}

async fn attempts_with(kind: ErrorKind, effects: &str, retries: Retries) -> usize {
    let more = format!(r#""returns": "NumberValue", "effects": {{{effects}}}"#);
    let fake = testing::fake_contract(contract("failing", &more), move |_| {
        Err::<toolpact::core::json::Value, _>(ToolError::new(kind, "No."))
    });
    let calls = fake.calls();
    let tool = fake.into_definition().unwrap();
    let session = session(tool.limits(CallLimits::default().retries(retries)));
    let completed = soon(session.call(call("failing"))).await;
    testing::assert_failure(&completed, kind);
    calls.count()
}

#[tokio::test]
async fn the_table_of_errors_decides() {
    for kind in ErrorKind::all() {
        for (effects, repeatable) in [
            ("", false),
            (r#""idempotent": false"#, false),
            (r#""idempotent": true"#, true),
            (r#""read_only": true"#, true),
        ] {
            let expected = match (kind.retry(), repeatable) {
                (Retry::Yes, _) | (Retry::IfIdempotent, true) => 3,
                (Retry::Never, _) | (Retry::IfIdempotent, false) => 1,
            };
            let found = attempts_of_kind(kind, effects).await;
            assert_eq!(found, expected, "{kind:?} {effects}");
        }
    }
}

#[tokio::test]
async fn kinds_that_are_named_are_tried_again_if_it_does_no_harm() {
    for kind in ErrorKind::all().filter(|kind| *kind != ErrorKind::Cancelled) {
        let only = Retries::new(2, NOW).only([kind]);
        assert_eq!(attempts_with(kind, IDEMPOTENT, only.clone()).await, 3);
        let unsafe_too = if kind.retry() == Retry::Yes { 3 } else { 1 };
        assert_eq!(attempts_with(kind, "", only.clone()).await, unsafe_too);
        let twice = only.even_if_done_twice();
        assert_eq!(attempts_with(kind, "", twice.clone()).await, 3, "{kind:?}");
        // Other kinds are not meant.
        let other = ErrorKind::all().find(|other| *other != kind).unwrap();
        assert_eq!(
            attempts_with(other, IDEMPOTENT, twice).await,
            1,
            "{other:?}"
        );
    }
    let cancelled = Retries::new(2, NOW).only([ErrorKind::Cancelled]);
    let cancelled = cancelled.even_if_done_twice();
    let found = attempts_with(ErrorKind::Cancelled, IDEMPOTENT, cancelled).await;
    assert_eq!(found, 1);
}

#[tokio::test]
async fn kinds_have_numbers_of_their_own() {
    let (often, never) = (Pauses::new(4, NOW), Pauses::new(0, NOW));
    let retries = Retries::new(1, NOW)
        .of_kind(ErrorKind::RateLimited, often)
        .of_kind(ErrorKind::TimedOut, never);
    for (kind, expected) in [
        (ErrorKind::RateLimited, 5),
        (ErrorKind::TimedOut, 1),
        (ErrorKind::TooManyAtOnce, 2),
        (ErrorKind::Internal, 1),
    ] {
        let found = attempts_with(kind, IDEMPOTENT, retries.clone()).await;
        assert_eq!(found, expected, "{kind:?}");
    }
    let only = retries.only([]);
    assert_eq!(
        attempts_with(ErrorKind::RateLimited, "", only.clone()).await,
        5
    );
    assert_eq!(attempts_with(ErrorKind::TooManyAtOnce, "", only).await, 1);
}

#[tokio::test]
async fn no_pause_is_longer_than_allowed() {
    // Without a bound, the second pause alone would take two hours, and so not be begun.
    let retries = Retries::new(20, Duration::from_secs(3600)).longest(Duration::from_millis(1));
    let (_, found) = attempts(IDEMPOTENT, unavailable, retries).await;
    assert_eq!(found, 21);
    let endless = Retries::new(5, Duration::MAX);
    let (completed, found) = attempts(IDEMPOTENT, unavailable, endless).await;
    assert_eq!(found, 1);
    testing::assert_failure(&completed, ErrorKind::DependencyFailed);
}

fn unavailable() -> ToolError {
    ToolError::unavailable("Not now.")
}

const IDEMPOTENT: &str = r#""idempotent": true"#;

#[tokio::test]
async fn nothing_is_tried_again_unless_that_is_wanted() {
    let (_, found) = attempts(IDEMPOTENT, unavailable, Retries::none()).await;
    assert_eq!(found, 1);
}

#[tokio::test]
async fn who_cannot_be_in_time_does_not_wait() {
    // The usual timeout is a minute: the error comes at once, not after it.
    let hour = Retries::new(5, Duration::from_secs(3600));
    let (completed, found) = attempts(IDEMPOTENT, unavailable, hour).await;
    assert_eq!(found, 1);
    testing::assert_failure(&completed, ErrorKind::DependencyFailed);
    // What the error itself asks for counts too.
    let busy =
        || ToolError::new(ErrorKind::RateLimited, "").with_detail("retry_after_ms", 3_600_000);
    let (completed, found) = attempts("", busy, Retries::new(5, NOW)).await;
    assert_eq!(found, 1);
    testing::assert_failure(&completed, ErrorKind::RateLimited);
}

#[tokio::test]
async fn the_deadline_is_for_all_attempts_together() {
    let more = r#""returns": "NumberValue", "effects": {"idempotent": true}, "timeout_ms": 200"#;
    let fake = testing::fake_contract(contract("failing", more), |_| {
        Err::<toolpact::core::json::Value, _>(unavailable())
    });
    let calls = fake.calls();
    let retries = Retries::new(1_000_000, Duration::from_millis(1));
    let limits = CallLimits::default().retries(retries);
    let session = session(fake.into_definition().unwrap().limits(limits));
    let completed = soon(session.call(call("failing"))).await;
    assert!(!completed.is_success());
    // Twice as long each time: 1 + 2 + … + 64 is all there is room for, if the machine is quick.
    assert!((1..=8).contains(&calls.count()), "{}", calls.count());
}

#[tokio::test]
async fn waiting_ends_when_the_call_is_cancelled() {
    let more = r#""returns": "NumberValue", "effects": {"idempotent": true}"#;
    let token = CancellationToken::new();
    let cancel = token.clone();
    let fake = testing::fake_contract(contract("failing", more), move |_| {
        cancel.cancel();
        Err::<toolpact::core::json::Value, _>(unavailable())
    });
    let retries = Retries::new(5, Duration::from_secs(3600));
    let limits = CallLimits::default()
        .retries(retries)
        .timeout(Duration::MAX);
    let registry = Registry::new();
    registry
        .place(fake.into_definition().unwrap().limits(limits.clone()))
        .unwrap();
    let session = registry.session().limits(limits).open().unwrap();
    let completed = soon(session.call(call("failing").cancelled_by(&token))).await;
    testing::assert_failure(&completed, ErrorKind::Cancelled);
}

#[tokio::test]
async fn a_tool_that_recovers_has_succeeded() {
    let more = r#""returns": "NumberValue", "effects": {"idempotent": true}"#;
    let heard = std::sync::atomic::AtomicUsize::new(0);
    let fake = testing::fake_contract(contract("shaky", more), move |_| {
        match heard.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0 => Err(unavailable()),
            _ => Ok(value("7")),
        }
    });
    let seen = fake.calls();
    let limits = CallLimits::default().retries(Retries::new(3, NOW));
    let session = session(fake.into_definition().unwrap().limits(limits));
    let completed = session.call(call("shaky")).await;
    testing::assert_success(&completed);
    assert_eq!((completed.text().as_str(), seen.count()), ("7", 2));
    let metrics = session.get("shaky").unwrap().metrics();
    assert_eq!((metrics.successes(), metrics.calls()), (1, 1));
}
