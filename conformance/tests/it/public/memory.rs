//! The document of a payment API, whose operations reach most of its definitions each: it is read whole, and memory grows
//! with the document.

use super::source::documents_named;
use conformance::reports;
use std::process::Command;
use std::time::Instant;

/// What reading it may take.
const KILOBYTES: u64 = 300_000;
/// Where the test is its own child, so that nothing else is in the process.
const CHILD: &str = "TOOLPACT_READ_ALONE";

#[test]
#[cfg(target_os = "linux")]
fn a_payment_api_is_read_whole() {
    if std::env::var_os(CHILD).is_some() {
        return read();
    }
    let name = "public::memory::a_payment_api_is_read_whole";
    let mut alone = Command::new(std::env::current_exe().unwrap());
    alone.args([name, "--exact", "--nocapture"]).env(CHILD, "1");
    let output = alone.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    if let Some(report) = text.lines().find(|line| line.starts_with("Payment API")) {
        reports::write("payment-api", &format!("{report}\n"));
    }
}

#[expect(clippy::print_stdout, reason = "the parent reads it")]
fn read() {
    let start = Instant::now();
    let Some(sources) = documents_named("stripe") else {
        return;
    };
    let took = start.elapsed().as_millis();
    let source = sources.first().unwrap();
    assert_eq!((source.contracts.len(), source.left_out.len()), (452, 0));
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak: u64 = peak
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    assert!(peak < KILOBYTES, "{peak} kB");
    println!("\nPayment API: 452 operations read and checked in {took} ms, {peak} kB in all");
}
