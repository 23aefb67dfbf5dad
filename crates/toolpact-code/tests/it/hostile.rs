//! Scripts that mean no good: `tests/hostile/*.py`. Each says in its first line what stops it.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use toolpact::Error;
use toolpact::code::{RunOptions, ScriptError, ScriptLimits};

use crate::bench::Bench;

/// What each of them may use.
fn limits() -> ScriptLimits {
    ScriptLimits::default()
        .time(Duration::from_millis(1_500))
        .memory(16 << 20)
        .recursion(200)
        .calls(50)
        .output(64 << 10)
        .check(Duration::from_secs(30))
}

/// In parts, so that a busy machine has time for each.
const PARTS: usize = 6;

macro_rules! parts {
    ($($name:ident $number:literal;)*) => {$(
        #[test]
        fn $name() {
            all_are_stopped($number);
        }
    )*};
}

parts! {
    are_stopped_0 0;
    are_stopped_1 1;
    are_stopped_2 2;
    are_stopped_3 3;
    are_stopped_4 4;
    are_stopped_5 5;
}

fn all_are_stopped(part: usize) {
    let bench = Bench::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut scripts: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|one| one.unwrap().path())
        .collect();
    scripts.sort();
    assert!(scripts.len() >= 40, "{}", scripts.len());
    let mut wrong = Vec::new();
    for path in scripts.iter().skip(part).step_by(PARTS) {
        let script = fs::read_to_string(path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let expected = script
            .lines()
            .next()
            .unwrap()
            .strip_prefix("# expect: ")
            .unwrap()
            .to_owned();
        let start = Instant::now();
        let ran = bench.ran_with(&script, &RunOptions::default().limits(limits()));
        let took = start.elapsed();
        let found = ran
            .end
            .err()
            .map_or_else(|| "none".to_owned(), |error| describe(&error));
        if !expected.split('|').any(|one| found.starts_with(one)) {
            wrong.push(format!("{name}: expected {expected}, found {found}"));
        }
        if took > Duration::from_secs(20) {
            wrong.push(format!("{name}: took {took:?}"));
        }
        if ran.printed.len() > limits().output {
            wrong.push(format!("{name}: printed {} bytes", ran.printed.len()));
        }
        assert_eq!(bench.value("add(20, 22)"), "42", "after {name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `raised PermissionError: …`, `limit-time`.
fn describe(error: &Error) -> String {
    match error.script() {
        Some(ScriptError::Raised(raised)) => {
            format!("raised {}: {}", raised.exception, raised.message)
        }
        _ => format!("{} ({error})", error.code()),
    }
}
