//! Runs that stop and go on elsewhere.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolpact::Principal;
use toolpact::code::{
    RunEnd, RunOptions, RunReport, ScriptLimits, SigningKey, Snapshot, UsedSnapshots,
};

use crate::bench::{Bench, options, tool};

const SCRIPT: &str = "print('begin')\na = add(1, 2)\nprint(a)\nb = add(a, 10)\nprint(b)\n[a, b]";

fn key() -> SigningKey {
    SigningKey::new("a key for these tests").unwrap()
}

fn stopped(ran: RunReport) -> Snapshot {
    let shown = format!("{ran:?}");
    match ran.end {
        Ok(RunEnd::Stopped(snapshot)) => snapshot,
        _ => panic!("not stopped: {shown}"),
    }
}

fn resume(bench: &Bench, bytes: &[u8], key: &SigningKey) -> RunReport {
    bench
        .runtime
        .block_on(bench.sandbox.resume(bytes, key, &bench.tools, &options()))
}

/// Whose scripts are this principal's.
fn bench_of(principal: &Principal) -> Bench {
    let mut bench = Bench::new();
    bench.tools = bench.tools.for_principal(principal);
    bench
}

#[test]
fn a_run_goes_on_in_another_process() {
    let ran = Bench::new().ran_with(SCRIPT, &options().stop_at_call(2));
    assert_eq!(ran.printed, "begin\n3\n");
    assert_eq!(ran.trace.len(), 1);
    let snapshot = stopped(ran);
    assert_eq!(snapshot.pending().collect::<Vec<_>>(), ["add"]);
    let bytes = snapshot.to_bytes(&key());
    // Another sandbox has other workers.
    let ran = resume(&Bench::new(), &bytes, &key());
    assert_eq!(ran.printed, "begin\n3\n13\n");
    let calls: Vec<_> = ran
        .trace
        .iter()
        .map(|call| call.args.value().unwrap().text().to_owned())
        .collect();
    assert_eq!(calls, [r#"{"a":1,"b":2}"#, r#"{"a":3,"b":10}"#]);
    assert_eq!(ran.value().unwrap().text(), "[3,13]");
}

/// At every call of a script with everything in it.
#[test]
fn anywhere() {
    let script = "import asyncio\n\nclass Total:\n    def __init__(self):\n        self.n = 0\n\ntotal = Total()\n\ndef plus(n: int) -> None:\n    try:\n        total.n = add(total.n, n)\n    except ValueError:\n        pass\n\nplus(1)\ntask = tool_task(add, 10, 20)\nplus(2)\nfor n in await asyncio.gather(tool_task(add, 1, 1), tool_task(wait, 50), task):\n    plus(n)\ntry:\n    fail()\nexcept ToolError as e:\n    print(tool_error(e)['code'])\ntotal.n";
    let bench = Bench::new();
    let whole = bench.ran(script);
    let (printed, calls) = (whole.printed.clone(), whole.trace.len());
    assert_eq!((&*printed, calls), ("NOT_FOUND_RESOURCE\n", 9));
    assert_eq!(whole.value().unwrap().text(), "85");
    for at in 1..=calls {
        let snapshot = stopped(bench.ran_with(script, &options().stop_at_call(at)));
        let ran = resume(&bench, &snapshot.to_bytes(&key()), &key());
        assert_eq!((&*ran.printed, ran.trace.len()), (&*printed, calls), "{at}");
        assert_eq!(ran.value().unwrap().text(), "85", "{at}");
    }
}

/// Stopped at each call in turn, by a run that itself goes on.
#[test]
fn again_and_again() {
    let bench = Bench::new();
    let mut ran = bench.ran_with(SCRIPT, &options().stop_at_call(1));
    for at in 2..=2 {
        let bytes = stopped(ran).to_bytes(&key());
        let options = options().stop_at_call(at);
        ran = bench
            .runtime
            .block_on(bench.sandbox.resume(&bytes, &key(), &bench.tools, &options));
    }
    let ran = resume(&bench, &stopped(ran).to_bytes(&key()), &key());
    assert_eq!(ran.value().unwrap().text(), "[3,13]");
}

/// A call that has begun is waited for, and not made twice.
#[test]
fn a_call_that_runs_is_not_made_twice() {
    let bench = Bench::new();
    let stop = CancellationToken::new();
    let options = options().stop(&stop);
    let asked = async {
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        stop.cancel();
    };
    let run = bench
        .sandbox
        .run("x = wait(5000)\nadd(x, 1)", &bench.tools, &options);
    let (ran, ()) = bench.runtime.block_on(async { tokio::join!(run, asked) });
    assert_eq!(ran.trace.len(), 1);
    let bytes = stopped(ran).to_bytes(&key());
    let ran = resume(&bench, &bytes, &key());
    let tools: Vec<_> = ran.trace.iter().map(|call| &*call.tool).collect();
    assert_eq!(tools, ["wait", "add"]);
    assert_eq!(ran.value().unwrap().text(), "5001");
}

/// What was used up stays used up.
#[test]
fn limits_go_on() {
    let bench = Bench::new();
    let stop_with = |limits: ScriptLimits, script: &str| {
        let options = options().limits(limits).stop_at_call(3);
        stopped(bench.ran_with(script, &options)).to_bytes(&key())
    };
    let limits = options().limits;
    let calls = stop_with(limits.calls(4), "for n in range(9):\n    add(n, 1)");
    let ran = resume(&bench, &calls, &key());
    assert_eq!(ran.trace.len(), 4);
    assert_eq!(ran.end.unwrap_err().code(), "limit-calls");
    let output = stop_with(
        limits.output(50),
        "for n in range(9):\n    print('123456789')\n    add(n, 1)",
    );
    let ran = resume(&bench, &output, &key());
    assert_eq!(ran.printed.len(), 50);
    assert_eq!(ran.end.unwrap_err().code(), "limit-output");
    let spin = "def spin():\n    for i in range(10 ** 9):\n        pass\n\nfor n in range(9):\n    add(n, 1)\nspin()";
    let time = stop_with(limits.time(Duration::from_millis(500)), spin);
    assert_eq!(
        resume(&bench, &time, &key()).end.unwrap_err().code(),
        "limit-time"
    );
    let deep = "def f(n: int) -> int:\n    return f(n + 1)\n\nfor n in range(9):\n    add(n, 1)\ntry:\n    f(0)\nexcept:\n    pass";
    let recursion = stop_with(limits.recursion(60), deep);
    assert_eq!(
        resume(&bench, &recursion, &key()).end.unwrap_err().code(),
        "limit-recursion"
    );
}

#[test]
fn altered_bytes_are_refused_wherever_they_are() {
    let bench = Bench::new();
    let bytes = stopped(bench.ran_with("add(1, 2)", &options().stop_at_call(1))).to_bytes(&key());
    for at in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[at] ^= 1;
        let error = resume(&bench, &altered, &key()).end.unwrap_err();
        let expected = if at < 16 {
            "snapshot-unknown"
        } else {
            "snapshot-altered"
        };
        assert_eq!(error.code(), expected, "{at}");
    }
    for length in [0, 10, 16, 47, 48, bytes.len() - 1] {
        let error = resume(&bench, &bytes[..length], &key()).end.unwrap_err();
        assert!(error.code().starts_with("snapshot-"), "{length}");
    }
    let longer = [&bytes[..], b" "].concat();
    assert_eq!(
        resume(&bench, &longer, &key()).end.unwrap_err().code(),
        "snapshot-altered"
    );
}

#[test]
fn another_key_is_refused() {
    let bench = Bench::new();
    let bytes = stopped(bench.ran_with("add(1, 2)", &options().stop_at_call(1))).to_bytes(&key());
    let other = SigningKey::new("another key for these tests").unwrap();
    assert_eq!(
        resume(&bench, &bytes, &other).end.unwrap_err().code(),
        "snapshot-altered"
    );
}

/// Whoever is called as the owner is, by another issuer or in another tenant, is another. What is signed is not enough.
#[test]
fn what_one_principal_has_begun_no_other_resumes() {
    let ada = || Principal::new("ada").with_tenant("acme");
    let everybody = [
        ada(),
        ada().issued_by("https://login.example.com"),
        ada().with_tenant("other"),
        Principal::new("ada"),
        Principal::new("bob").with_tenant("acme"),
        Principal::anonymous(),
    ];
    let stop = options().stop_at_call(2);
    let begun = everybody.clone().map(|owner| {
        let bench = bench_of(&owner);
        stopped(bench.ran_with(SCRIPT, &stop)).to_bytes(&key())
    });
    for who in &everybody {
        let bench = bench_of(who);
        for (bytes, owner) in begun.iter().zip(&everybody) {
            let ran = resume(&bench, bytes, &key());
            if who.key() == owner.key() {
                assert_eq!(ran.value().unwrap().text(), "[3,13]", "{who}");
                continue;
            }
            // Nothing is said about what the run printed, called or got.
            assert!(ran.trace.is_empty() && ran.printed.is_empty(), "{ran:?}");
            let error = ran.end.unwrap_err();
            assert_eq!(
                error.code(),
                "snapshot-foreign",
                "{who} resumes what {owner} began"
            );
            assert!(!error.to_string().contains("add"), "{error}");
        }
    }
    // What is said of somebody may change: the principal stays the same.
    let promoted = bench_of(&ada().groups(["leads"]));
    assert_eq!(
        resume(&promoted, &begun[0], &key()).value().unwrap().text(),
        "[3,13]"
    );
}

/// Before anything is said about its tools.
#[test]
fn another_learns_nothing_about_the_tools_of_a_snapshot() {
    let owner = bench_of(&Principal::new("ada"));
    let bytes = stopped(owner.ran_with("add(1, 2)", &options().stop_at_call(1))).to_bytes(&key());
    let other = r#"{"name": "other", "description": "Another.", "parameters": {"type": "object"}}"#;
    let other = Bench::with([tool(other, |args| Ok(args.clone()))]);
    let error = resume(&other, &bytes, &key()).end.unwrap_err();
    assert_eq!(error.code(), "snapshot-foreign");
}

/// A copy of it as little as the file itself.
#[test]
fn a_snapshot_can_be_for_one_use() {
    let bench = Bench::new();
    let bytes = stopped(bench.ran_with(SCRIPT, &options().stop_at_call(2))).to_bytes(&key());
    let folder = tempfile::tempdir().unwrap();
    let used = UsedSnapshots::in_folder(folder.path().join("used"));
    let resume_once = |bytes: &[u8], key: &SigningKey| {
        let options = options().once(used.clone());
        let resumed = bench.sandbox.resume(bytes, key, &bench.tools, &options);
        bench.runtime.block_on(resumed)
    };
    // One that is refused is not used.
    let other = SigningKey::new("another key for these tests").unwrap();
    let refused = resume_once(&bytes, &other).end.unwrap_err();
    assert_eq!(refused.code(), "snapshot-altered");
    assert_eq!(
        resume_once(&bytes, &key()).value().unwrap().text(),
        "[3,13]"
    );
    let again = resume_once(&bytes.clone(), &key());
    assert!(again.trace.is_empty());
    assert_eq!(again.end.unwrap_err().code(), "snapshot-used");
    // Without being asked for, it goes on as often as one likes.
    assert_eq!(resume(&bench, &bytes, &key()).trace.len(), 2);
}

#[test]
fn other_contracts_are_refused() {
    let bench = Bench::new();
    let bytes = stopped(bench.ran_with("add(1, 2)", &options().stop_at_call(1))).to_bytes(&key());
    let other = r#"{"name": "add", "description": "Adds.", "parameters": {"type": "object"}}"#;
    let other = Bench::with([tool(other, |args| Ok(args.clone()))]);
    let error = resume(&other, &bytes, &key()).end.unwrap_err();
    assert_eq!(error.code(), "snapshot-contracts");
    assert!(
        error.to_string().contains("another contract of `add`"),
        "{error}"
    );
}

#[test]
fn without_being_asked_nothing_stops() {
    let ran = Bench::new().ran_with(SCRIPT, &RunOptions::default().stop_at_call(3));
    assert_eq!(ran.value().unwrap().text(), "[3,13]");
}

/// A key is made once, for nobody else to read.
#[test]
fn a_key_is_made_when_it_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data/key");
    let first = SigningKey::in_file(&path).unwrap();
    assert_eq!(SigningKey::in_file(&path).unwrap(), first);
    assert_eq!(std::fs::read(&path).unwrap().len(), 32);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let other = folder.path().join("other/key");
    assert_ne!(SigningKey::in_file(&other).unwrap(), first);
    std::fs::write(&other, "short").unwrap();
    assert!(
        SigningKey::in_file(&other)
            .unwrap_err()
            .to_string()
            .contains("at least 16 bytes")
    );
    let entries = std::fs::read_dir(path.parent().unwrap()).unwrap();
    assert_eq!(entries.count(), 1);
}
