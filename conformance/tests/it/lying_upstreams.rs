//! MCP servers that lie, beside which the tools of a shop have to be served: the short form of
//! `scripts/lying-upstreams`, which tells each lie once and measures no times.

use std::process::Command;

use crate::toolpact::program;

#[test]
fn a_shop_is_served_beside_upstreams_that_lie() {
    // Where this is installed, there is a Python that runs the script.
    if conformance::suite("fastmcp-4").or_leave_out().is_none() {
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/lying-upstreams");
    let output = Command::new("python3")
        .arg(script)
        .arg("--server")
        .arg(program("toolpact"))
        .args(["--upstreams", "34", "--at-once", "34"])
        .args(["--seconds", "15", "--no-times"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    assert!(text.contains("\n0 calls of the shop failed"), "{text}");
}
