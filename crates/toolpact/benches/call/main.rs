//! A call of a typed tool from bytes to bytes, beside doing the same with serde alone.
//!
//! `cargo bench -p toolpact --bench call`

#![expect(clippy::print_stdout, reason = "printing figures is what it is for")]

mod conventional;
mod meeting;
#[path = "../../../toolpact-core/benches/check/stopwatch.rs"]
#[allow(dead_code, reason = "the other benchmark uses all of it")]
mod stopwatch;

use std::error::Error;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde::{Deserialize, Serialize};
use stopwatch::{Effort, Work, race};
use toolpact::{Call, Registry, Session};

use meeting::{CALL, Meeting};

/// Few calls for each turn of the other way, so that no turn gets long.
const TASK: u32 = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let effort = match std::env::args().any(|arg| arg == "--bench") {
        true => Effort::Full,
        false => Effort::Smoke,
    };
    let session = session(meeting::inline())?;
    let isolated = session_on_threads()?;
    let conventional = conventional::Conventional::new(&session)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .build()?;
    same_bytes(&session, &conventional)?;

    let works: Vec<(&str, f64, Work<'_>)> = vec![
        (
            "serde_json: struct in, struct out, nothing checked",
            1.0,
            Box::new(|| !plain().is_empty()),
        ),
        (
            "toolpact: checked both ways",
            1.0,
            Box::new(|| !now(session.call_json(CALL.as_bytes())).is_empty()),
        ),
        (
            "toolpact: typed result and its text as well",
            1.0,
            Box::new(|| !text(&session).is_empty()),
        ),
        (
            "Value, jsonschema, from_value, to_value, jsonschema, to_vec",
            1.0,
            Box::new(|| !conventional.call(CALL.as_bytes()).is_empty()),
        ),
        (
            "toolpact: on the threads of tools",
            f64::from(TASK),
            Box::new(|| on_threads(&runtime, &isolated)),
        ),
    ];
    let (names, works): (Vec<(&str, f64)>, Vec<Work<'_>>) = works
        .into_iter()
        .map(|(name, each, work)| ((name, each), work))
        .unzip();
    let mut best = vec![f64::INFINITY; works.len()];
    for _ in 0..effort.passes() {
        for (best, time) in best.iter_mut().zip(race(&works, effort)) {
            *best = best.min(time);
        }
    }
    let base = best[0];
    println!("{} bytes in, {} bytes out\n", CALL.len(), plain().len());
    println!("{:>10}  {:>6}", "time", "ratio");
    for ((name, each), time) in names.into_iter().zip(best) {
        let time = time / each;
        println!("{:>7.0} ns  {:>6.2}  {name}", time * 1e9, time / base);
    }
    Ok(())
}

#[derive(Deserialize)]
struct PlainCall<'a> {
    name: &'a str,
    args: Meeting,
}

#[derive(Serialize)]
struct PlainResult<'a> {
    name: &'a str,
    status: &'a str,
    content: PlainContent,
}

#[derive(Serialize)]
struct PlainContent {
    success: bool,
    data: Meeting,
}

/// What one would do if nothing could go wrong.
fn plain() -> Vec<u8> {
    let Ok(call) = serde_json::from_slice::<PlainCall<'_>>(CALL.as_bytes()) else {
        return Vec::new();
    };
    let result = PlainResult {
        name: call.name,
        status: "SUCCESS",
        content: PlainContent {
            success: true,
            data: call.args,
        },
    };
    serde_json::to_vec(&result).unwrap_or_default()
}

fn text(session: &Session) -> String {
    let Ok(call) = Call::from_json(CALL) else {
        return String::new();
    };
    now(async { session.call(call).await.text() })
}

fn session(tool: impl toolpact::Tool) -> Result<Session, toolpact::Error> {
    let registry = Registry::new();
    registry.add(tool)?;
    registry.session().open()
}

fn session_on_threads() -> Result<Session, toolpact::Error> {
    session(meeting::on_threads())
}

fn on_threads(runtime: &tokio::runtime::Runtime, session: &Session) -> bool {
    let session = session.clone();
    let task = runtime.spawn(async move {
        let mut bytes = 0;
        for _ in 0..TASK {
            bytes += session.call_json(CALL.as_bytes()).await.len();
        }
        bytes
    });
    runtime.block_on(task).unwrap_or(0) > 0
}

fn same_bytes(session: &Session, other: &conventional::Conventional) -> Result<(), Box<dyn Error>> {
    let ours = now(session.call_json(CALL.as_bytes()));
    let same = ours == plain() && ours.len() == other.call(CALL.as_bytes()).len();
    same.then_some(())
        .ok_or_else(|| String::from_utf8_lossy(&ours).into_owned().into())
}

/// The result of a future that is done at once.
fn now<T: Default>(future: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(value) => value,
        Poll::Pending => T::default(),
    }
}
