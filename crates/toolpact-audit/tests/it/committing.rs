//! When lines are written: before the answer, together, and also if nobody waits for the answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use toolpact::call::{Decision, Proposal, Verdict};
use toolpact::returns::StringValue;
use toolpact::typed::ToolSpec;
use toolpact::{Context, Registry, Session, ToolError, tool_fn};
use toolpact_audit::{AuditLog, AuditMetrics, Fsync};

use crate::support::{Audit, call_at_once, echo};

#[tokio::test]
async fn an_answered_call_is_in_the_file() {
    for fsync in [Fsync::None, Fsync::Interval, Fsync::Each] {
        let audit = Audit::new();
        let mut config = audit.config();
        config.fsync = fsync;
        let session = audit.open(&config);
        for number in 1..=20 {
            session.call(echo(number)).await;
            assert_eq!(audit.calls().len(), number, "{fsync:?}");
        }
        audit.assert_whole();
    }
}

fn open(audit: &Audit, fsync: Fsync) -> (Session, AuditMetrics) {
    let mut config = audit.config();
    config.fsync = fsync;
    let log = AuditLog::open(&config).unwrap();
    let metrics = log.metrics();
    let registry = Registry::builder().log(log).build();
    let slow = tool_fn(
        ToolSpec::new("echo", "Waits."),
        async |_: serde_json::Map<String, serde_json::Value>, _: Context| {
            tokio::time::sleep(Duration::from_millis(50)).await;
            Ok::<_, ToolError>(StringValue::success("done"))
        },
    );
    registry.add(slow).unwrap();
    (registry.session().open().unwrap(), metrics)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_end_together_are_written_together() {
    for fsync in [Fsync::None, Fsync::Each] {
        let audit = Audit::new();
        let (session, metrics) = open(&audit, fsync);
        call_at_once(&session, 200).await;
        assert_eq!(metrics.lines(), 200);
        assert!(metrics.writes() < 150, "{} {fsync:?}", metrics.writes());
        assert_eq!(audit.calls().len(), 200);
        audit.assert_whole();
    }
}

/// Nobody has to call again, or to stop the server.
#[tokio::test]
async fn the_head_follows_by_itself() {
    for fsync in [Fsync::None, Fsync::Interval, Fsync::Each] {
        let audit = Audit::new();
        let mut config = audit.config();
        config.fsync = fsync;
        let session = audit.open(&config);
        for number in 0..3 {
            session.call(echo(number)).await;
            let seq = audit.calls().last().and_then(|call| call.seq).unwrap();
            let head = || std::fs::read_to_string(audit.path().join("head")).unwrap();
            let is_known = || head().starts_with(&format!("{seq:020} "));
            let end = Instant::now() + Duration::from_secs(60);
            while !is_known() {
                assert!(Instant::now() < end, "{fsync:?}: {} is not {seq}", head());
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            // It is the end of the audit also for who looks while the server runs.
            audit.assert_whole();
        }
    }
}

/// The tool may have done its work by then.
#[tokio::test]
async fn a_call_whose_caller_is_gone_has_a_line() {
    let audit = Audit::new();
    let (session, _) = open(&audit, Fsync::None);
    let call = session.call(echo(1));
    let gone = tokio::time::timeout(Duration::from_millis(5), call).await;
    assert!(gone.is_err());
    let calls = audit.calls();
    assert_eq!((calls.len(), &*calls[0].outcome), (1, "INTERNAL_CANCELLED"));
    assert_eq!(calls[0].cause.as_deref(), Some("the caller is gone"));
    assert!(calls[0].args_digest.is_some());
    audit.assert_whole();
}

/// Who permitted what the tool may have done is what one asks then.
#[tokio::test]
async fn a_call_whose_caller_is_gone_has_its_decision() {
    let audit = Audit::new();
    let guard = |proposal: &Proposal<'_>| {
        proposal.decided_by(["support.cedar#2"]);
        Decision::Ask("Really?".to_owned())
    };
    let registry = Registry::builder()
        .guard(guard)
        .approver(|_: &Proposal<'_>, _: &str| true)
        .log(AuditLog::open(&audit.config()).unwrap())
        .build();
    let begun = Arc::new(Notify::new());
    let begins = Arc::clone(&begun);
    let endless = tool_fn(
        ToolSpec::new("echo", "Begins, and does not end."),
        move |_: serde_json::Map<String, serde_json::Value>, _: Context| {
            let begins = Arc::clone(&begins);
            async move {
                begins.notify_one();
                std::future::pending::<()>().await;
                Ok::<_, ToolError>(StringValue::success("done"))
            }
        },
    );
    registry.add(endless).unwrap();
    let session = registry.session().open().unwrap();
    let gone = tokio::select! {
        _ = session.call(echo(1)) => false,
        () = begun.notified() => true,
    };
    assert!(gone);
    let calls = audit.calls();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].cause.as_deref(), Some("the caller is gone"));
    let decision = calls[0].decision.as_ref().unwrap();
    assert_eq!(decision.verdict, Verdict::Approved);
    assert_eq!(decision.policies, ["support.cedar#2"]);
    assert_eq!(calls[0].attempts, 1);
    audit.assert_whole();
}

/// Callers that leave while they would write for others leave nobody waiting.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_takes_no_line_along() {
    let audit = Audit::new();
    let session = Arc::new(audit.open(&audit.config()));
    let answered = Arc::new(AtomicUsize::new(0));
    let tasks = (0..400).map(|number: usize| {
        let (session, answered) = (Arc::clone(&session), Arc::clone(&answered));
        tokio::spawn(async move {
            let call = session.call(echo(number));
            let patience = Duration::from_micros(number as u64 % 7 * 50);
            if tokio::time::timeout(patience, call).await.is_ok() {
                answered.fetch_add(1, Ordering::Relaxed);
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let done = audit
        .calls()
        .iter()
        .filter(|call| call.outcome == "SUCCESS")
        .count();
    assert!(done >= answered.load(Ordering::Relaxed));
    audit.assert_whole();
    session.call(echo(1000)).await;
    assert_eq!(
        audit.calls().last().unwrap().call_id.as_deref(),
        Some("c1000")
    );
}

/// The line is there before the caller has its answer, from whatever thread one looks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_is_ahead_of_its_line() {
    let audit = Arc::new(Audit::new());
    let session = audit.open(&audit.config());
    let early = Arc::new(Mutex::new(Vec::new()));
    let tasks = (0..8_usize).map(|client| {
        let (session, audit, early) = (session.clone(), Arc::clone(&audit), Arc::clone(&early));
        tokio::spawn(async move {
            for number in 0..20 {
                let number = client * 100 + number;
                session.call(echo(number)).await;
                let id = format!("\"call_id\":\"c{number}\"");
                if !audit.text().contains(&id) {
                    early.lock().unwrap().push(id);
                }
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    assert!(early.lock().unwrap().is_empty(), "{early:?}");
}
