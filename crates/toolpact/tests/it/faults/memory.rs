//! Large results, and many calls.

use toolpact::returns::StringValue;
use toolpact::{
    Context, Registry, ToolError,
    call::CallLimits,
    tool_fn,
    typed::{RunsOn, ToolSpec},
};

use super::{Nothing, call, code, good, still_serves};
use crate::world::{Place as _, leaves_out};

const LARGE: usize = 100 << 20;

fn large() -> impl toolpact::Tool {
    tool_fn(
        ToolSpec::new("large", "Returns 100 MB."),
        async |_: Nothing, _: Context| Ok::<_, ToolError>(StringValue::success("x".repeat(LARGE))),
    )
}

#[tokio::test]
async fn a_result_of_100_megabytes() {
    let (_, session) = super::session(large());
    let completed = session.call(call("large")).await;
    assert_eq!(code(&completed), "INTERNAL_RESULT_SIZE");
    assert!(
        completed.text().contains("more than the 16777216"),
        "{}",
        completed.text()
    );
    still_serves(&session).await;
}

#[tokio::test]
async fn a_result_of_100_megabytes_that_is_allowed() {
    let registry = Registry::builder()
        .limits(CallLimits::default().result_bytes(LARGE * 2))
        .build();
    registry.place(large()).unwrap();
    registry.place(good()).unwrap();
    let session = registry
        .session()
        .limits(CallLimits::default().result_bytes(LARGE * 2))
        .open()
        .unwrap();
    let completed = session.call(call("large")).await;
    assert!(completed.is_success());
    let text = completed.text();
    assert!(text.len() < 20_000, "{}", text.len());
    still_serves(&session).await;
}

/// What is in use, by what the system says.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = statm.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096
}

/// A hundred thousand here; `cargo run --release -p toolpact --example endurance` makes a million.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn many_calls_in_a_row() {
    if leaves_out("faults::memory::many_calls_in_a_row") {
        return;
    }
    for place in [RunsOn::Pool, RunsOn::Caller] {
        let about = ToolSpec::new("echo", "Says something.").runs_on(place);
        let (_, session) = super::session(tool_fn(about, async |_: Nothing, _: Context| {
            Ok::<_, ToolError>(StringValue::success("something"))
        }));
        let json = br#"{"name":"echo","args":{}}"#;
        for _ in 0..2_000 {
            session.call_json(json).await;
        }
        let before = resident();
        for _ in 0..20_000 {
            session.call_json(json).await;
            assert!(session.call(call("echo")).await.is_success());
        }
        let after = resident();
        // Elsewhere other tests run in the same process.
        if std::env::var_os("NEXTEST").is_none() {
            continue;
        }
        assert!(after < before + (4 << 20), "{before} then {after}");
    }
}
