//! What the process of a host does: calls, each noted before it is made and when it is over.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::params;
use toolpact::{Call, Completed, Registry, Session};
use toolpact_grid::{Durable, Host, connect};

use super::ledger::{LEDGER, Ledger, now};
use crate::kit::{call, contracts};

/// Calls at once.
const WORKERS: usize = 6;
/// Between two calls of a worker.
const PAUSE: Duration = Duration::from_millis(20);
/// What an ordinary call may take.
const ORDINARY: Duration = Duration::from_secs(5);
/// How long a call takes that is given up: its effect, in the middle, would come long after its cancellation.
const HELD_MS: u64 = 4800;
/// How long the caller of a durable one waits, each time.
const DURABLE: Duration = Duration::from_secs(4);

/// What goes on at these: whoever made the call makes it again, with the same key.
const NOT_OVER: [&str; 5] = [
    "pending",
    "not_confirmed",
    "disconnected",
    "queue_full",
    "full",
];

/// The file that tells hosts to end.
pub(super) fn stop_file() -> PathBuf {
    let ledger = std::env::var_os(LEDGER).unwrap();
    PathBuf::from(ledger).with_extension("stop")
}

pub(super) async fn run(server: &str, name: &str) {
    let session = open(server).await;
    let ledger = Ledger::of_process().unwrap();
    // Those in the middle of an ordinary call died with it.
    ledger
        .0
        .execute(
            "UPDATE calls SET outcome = 'caller died', ended = 0 WHERE ended IS NULL
             AND tool IN ('post', 'put', 'hold') AND name LIKE ?",
            [format!("{name}-%")],
        )
        .unwrap();
    let open = ledger.rows(&format!(
        "SELECT name, tool FROM calls WHERE ended IS NULL AND name LIKE '{name}-%'"
    ));
    let start = ledger.count(&format!(
        "SELECT count(*) FROM calls WHERE name LIKE '{name}-%'"
    ));
    let next = Arc::new(AtomicU64::new(start));
    let mut tasks = tokio::task::JoinSet::new();
    for row in open {
        let (call, tool) = row.split_once(' ').unwrap();
        let (call, tool) = (call.to_owned(), tool.to_owned());
        let session = session.clone();
        tasks.spawn(async move { durable(&session, &tool, &call).await });
    }
    for _ in 0..WORKERS {
        let (session, name, next) = (session.clone(), name.to_owned(), Arc::clone(&next));
        tasks.spawn(async move { work(&session, &name, &next).await });
    }
    while let Some(task) = tasks.join_next().await {
        task.unwrap();
    }
}

/// A session of a host; the server may be away.
async fn open(server: &str) -> Session {
    loop {
        if let Ok(client) = connect(server).await
            && let Ok(host) = Host::builder(client)
                .open(contracts(&super::registry()))
                .await
        {
            let registry = Registry::new();
            registry.add_all(host.definitions()).unwrap();
            return registry.session().open().unwrap();
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn work(session: &Session, host: &str, next: &AtomicU64) {
    let stop = stop_file();
    while !stop.exists() {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let name = format!("{host}-{number}");
        match number % 6 {
            0 | 1 => begun_durable(session, "pay", &name).await,
            2 => begun_durable(session, "send", &name).await,
            3 => ordinary(session, "post", &name).await,
            4 => given_up(session, "hold", &name).await,
            _ => ordinary(session, "put", &name).await,
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn begun_durable(session: &Session, tool: &str, name: &str) {
    begin(tool, name, 0);
    durable(session, tool, name).await;
}

/// Until the call has an outcome.
async fn durable(session: &Session, tool: &str, name: &str) {
    loop {
        let call = args(tool, name).with(Durable::new().key(name));
        let completed = session.call(call.timeout(DURABLE)).await;
        match outcome(&completed) {
            outcome if NOT_OVER.contains(&&*outcome) => {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            outcome => return end(name, &outcome),
        }
    }
}

async fn ordinary(session: &Session, tool: &str, name: &str) {
    let deadline = now() + i64::try_from(ORDINARY.as_millis()).unwrap();
    begin(tool, name, deadline);
    let completed = session.call(args(tool, name).timeout(ORDINARY)).await;
    end(name, &outcome(&completed));
}

/// A call that its caller cancels: before it has begun, or while it runs.
async fn given_up(session: &Session, tool: &str, name: &str) {
    let deadline = now() + i64::try_from(ORDINARY.as_millis()).unwrap();
    begin(tool, name, deadline);
    let call = call(tool, &format!(r#"{{"name": "{name}", "ms": {HELD_MS}}}"#));
    let most = Duration::from_millis(name.bytes().map(u64::from).sum::<u64>() % 8 * 20);
    let completed = tokio::time::timeout(most, session.call(call.timeout(ORDINARY))).await;
    let at = now();
    // The message is on its way before the ledger has it, should this process be killed now.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let outcome =
        completed.map_or_else(|_| "cancelled".to_owned(), |completed| outcome(&completed));
    end_at(name, at, &outcome);
}

fn args(tool: &str, name: &str) -> Call {
    // Some are done before anything can happen to them.
    let ms = name.bytes().map(u64::from).sum::<u64>() % 8 * 30;
    call(tool, &format!(r#"{{"name": "{name}", "ms": {ms}}}"#))
}

/// `done`, what the grid says, or the code of another error.
fn outcome(completed: &Completed) -> String {
    let Some(error) = completed.error() else {
        return "done".to_owned();
    };
    let detail = error.as_standard().detail("grid");
    let detail = detail.map(|detail| detail.text().trim_matches('"').to_owned());
    detail.unwrap_or_else(|| format!("{}: {}", error.to_standard().code(), error.message()))
}

fn begin(tool: &str, name: &str, deadline: i64) {
    let ledger = Ledger::of_process().unwrap();
    let all = params![name, tool, now(), deadline];
    ledger
        .0
        .execute("INSERT INTO calls VALUES (?, ?, ?, ?, NULL, NULL)", all)
        .unwrap();
}

fn end(name: &str, outcome: &str) {
    end_at(name, now(), outcome);
}

fn end_at(name: &str, at: i64, outcome: &str) {
    let ledger = Ledger::of_process().unwrap();
    let all = params![name, at, outcome];
    ledger
        .0
        .execute(
            "UPDATE calls SET ended = ?2, outcome = ?3 WHERE name = ?1",
            all,
        )
        .unwrap();
}
