//! Schemas and values that mean harm: each gets its verdict soon, in little memory, and nothing is
//! fetched.

mod alternatives;
mod copies;
mod dependencies;
mod fetching;
mod growing;
mod patterns;
mod recursive;
mod sizes;

use std::time::{Duration, Instant};

use toolpact_core::check::Checker;
use toolpact_core::json::{Limits, Value};
use toolpact_core::schema::JsonSchema;
use toolpact_core::{Violation, Violations};

/// Reads a text of any depth.
fn value(text: &str) -> Value {
    Value::from_json_within(text, &Limits::default().depth(usize::MAX)).unwrap()
}

fn read(schema: &str) -> Result<JsonSchema, Violations> {
    JsonSchema::from_value(&value(schema))
}

/// The codes of what is wrong with a schema.
fn refused(schema: &str) -> Vec<&'static str> {
    read(schema).map_or_else(|violations| codes(&violations), |_| Vec::new())
}

/// The codes of what is wrong with a value.
fn broken(schema: &str, instance: &str) -> Vec<&'static str> {
    let checker = read(schema)
        .unwrap_or_else(|why| panic!("{schema}: {why}"))
        .checker();
    let outcome = checker.check(&value(instance));
    agrees(&checker, instance, outcome.is_ok());
    outcome.map_or_else(|violations| codes(&violations), |()| Vec::new())
}

/// The path that gives verdicts comes to the same one, and as soon.
fn agrees(checker: &Checker, instance: &str, valid: bool) {
    let json = instance.as_bytes();
    assert_eq!(checker.is_valid(json), valid);
    assert_eq!(checker.check_json(json).is_ok(), valid);
}

fn joined(count: usize, one: impl Fn(usize) -> String) -> String {
    let all: Vec<String> = (0..count).map(one).collect();
    all.join(",")
}

/// Why the fast path does not take a schema.
fn left_out(schema: &str) -> Option<String> {
    let checker = read(schema).unwrap().checker();
    checker.uncovered().map(|uncovered| uncovered.why.clone())
}

fn codes(violations: &Violations) -> Vec<&'static str> {
    violations.iter().map(Violation::code).collect()
}

/// Far above what it takes, far below what the attack would take. What counts is the time that this
/// thread had, because the machine may be busy with others.
fn soon<T>(what: impl FnOnce() -> T) -> T {
    let (start, worked) = (Instant::now(), time_worked());
    let outcome = what();
    let took = match (worked, time_worked()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    };
    assert!(took < Duration::from_secs(20), "took {took:?}");
    if let Some(peak) = peak_memory() {
        assert!(peak < 600 << 20, "{peak} bytes of memory");
    }
    outcome
}

/// How long this thread has been at work, where the system says so.
fn time_worked() -> Option<Duration> {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = times.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// The most memory this process had; each test runs in its own under nextest.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: usize = line.trim().split(' ').next()?.parse().ok()?;
    Some(kilobytes << 10)
}
