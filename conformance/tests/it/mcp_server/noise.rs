//! Clients that connect, list, call and leave over both transports, in every version that they speak,
//! have nothing to complain about.

use super::clients::Client;
use super::{Fixture, module, node};
use crate::toolpact::program;
use std::process::Stdio;

const TOOL: &str = "test_simple_text";

const TEXT: &str = "This is a simple text response for testing.";

#[test]
fn typescript() {
    is_quiet(Client::TypeScript);
}

#[test]
fn python() {
    is_quiet(Client::Python);
}

#[test]
fn fastmcp_2() {
    is_quiet(Client::FastMcp2);
}

#[test]
fn fastmcp_4() {
    is_quiet(Client::FastMcp4);
}

fn is_quiet(client: Client) {
    let fixture = Fixture::start();
    let lines = program("fixture").display().to_string();
    for server in [&lines, &fixture.url] {
        let Some((calls, noise)) = client.noise(server, &[TOOL]) else {
            return;
        };
        assert_eq!(calls.len(), client.turns(), "{client:?} {server}");
        for call in calls {
            let text = &call["result"]["content"][0]["text"];
            assert_eq!(*text, TEXT, "{client:?} {server}: {call}");
        }
        assert_eq!(noise, "", "{client:?} {server}");
    }
}

/// It is a program for the command line, and connects anew for each of its commands.
#[test]
fn mcporter() {
    let packages = ["mcporter", "mcp-conformance"];
    let [Some(mcporter), Some(with_node)] =
        packages.map(|name| conformance::suite(name).or_leave_out())
    else {
        return;
    };
    let fixture = Fixture::start();
    let lines = program("fixture").display().to_string();
    let over_lines = ["--stdio", &lines, "--stdio-arg", "--stdio"];
    let over_http = ["--http-url", &fixture.url, "--allow-http"];
    for server in [&over_lines[..], &over_http] {
        for (task, expected) in [
            (&["list", "--name", "fixture"][..], TOOL),
            (&["call", "--tool", TOOL], TEXT),
        ] {
            let home = tempfile::tempdir().unwrap();
            let mut command = node(&with_node);
            command
                .arg(module(&mcporter, "mcporter/dist/cli.js"))
                .args(task)
                .args(server)
                .env("HOME", home.path())
                .current_dir(home.path())
                .stdin(Stdio::null());
            let output = command.output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            let noise = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{task:?} {server:?}: {noise}");
            assert!(said.contains(expected), "{task:?} {server:?}: {said}");
            assert_eq!(noise, "", "{task:?} {server:?}");
        }
    }
}
