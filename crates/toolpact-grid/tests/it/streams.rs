//! What comes before a result, and results that are longer than a message.

use std::sync::atomic::Ordering;
use std::time::Duration;

use toolpact::Session;
use toolpact::session::Update;

use crate::kit::{self, EMITTED, NatsServer, call, pair};

/// What a tool says that counts to 100, as it is heard by somebody who is slow at first: more than the window, so a runtime
/// has to wait for credit.
pub(crate) async fn updates_of(session: &Session) -> Vec<String> {
    let mut stream = session.call_streaming(call("count", r#"{"to": 100}"#));
    let mut updates = Vec::new();
    while let Some(update) = stream.next().await {
        if updates.len() < 40 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        updates.push(match update {
            Update::Log(line) => format!("{} {}", line.level.name(), line.message),
            Update::Progress(status) => {
                let progress = status.progress().unwrap();
                format!("{:?} {:?}", progress.current_step(), progress.message())
            }
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(stream.finish().await.text(), "100");
    assert_eq!(updates.len(), 200);
    updates
}

/// Nothing is lost.
#[tokio::test(flavor = "multi_thread")]
async fn progress_and_log_lines_arrive_in_order() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let local = kit::registry().session().open().unwrap();
    assert_eq!(updates_of(&host.session).await, updates_of(&local).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_results_come_in_parts() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    // Just below and above the length of a message, and five times the window.
    for count in [200_000, 206_000, 210_000, 1_200_000] {
        let completed = host
            .call("words", &format!(r#"{{"count": {count}}}"#))
            .await;
        assert!(completed.is_success(), "{completed:?}");
        let words = "word ".repeat(count);
        let expected = format!(r#"{{"success":true,"value":"{words}"}}"#);
        assert!(
            completed.to_json().unwrap() == expected.as_bytes(),
            "{count}"
        );
    }
}

/// Longer than the host takes.
#[tokio::test(flavor = "multi_thread")]
async fn results_that_are_too_long_are_errors_at_once() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let completed = host.call("words", r#"{"count": 4000000}"#).await;
    assert!(completed.error().is_some());
    assert!(
        completed.took() < Duration::from_secs(2),
        "{:?}",
        completed.took()
    );
    assert_eq!(host.call("add", r#"{"a": 1, "b": 2}"#).await.text(), "3");
}

/// 32 MiB of events, of which a few hundred KiB wait for the reader at any time.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_slows_the_tool_and_nothing_is_dropped() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let before = EMITTED.load(Ordering::SeqCst);
    let args = r#"{"count": 2048, "bytes": 16384}"#;
    let mut stream = host.session.call_streaming(call("events", args));
    let (mut read, mut most) = (0_u64, 0);
    while let Some(update) = stream.next().await {
        let Update::Item(item) = update else {
            panic!("{update:?}")
        };
        assert_eq!(item.root().get("id").unwrap().text(), format!("\"{read}\""));
        read += 1;
        if read.is_multiple_of(256) {
            // Long enough for the tool to run ahead, if it could.
            tokio::time::sleep(Duration::from_millis(100)).await;
            most = most.max(EMITTED.load(Ordering::SeqCst) - before - read);
        }
    }
    assert!(stream.finish().await.is_success());
    assert_eq!(read, 2048);
    assert!((1..100).contains(&most), "{most}");
}

/// Each longer than a message can be.
#[tokio::test(flavor = "multi_thread")]
async fn long_events_come_in_parts() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let (host, _runtime) = pair(&server).await;
    let args = r#"{"count": 5, "bytes": 3000000}"#;
    let mut stream = host.session.call_streaming(call("events", args));
    let mut read = 0;
    while let Some(update) = stream.next().await {
        let Update::Item(item) = update else {
            panic!("{update:?}")
        };
        assert!(item.text().len() > 3_000_000);
        read += 1;
    }
    assert!(stream.finish().await.is_success());
    assert_eq!(read, 5);
}
