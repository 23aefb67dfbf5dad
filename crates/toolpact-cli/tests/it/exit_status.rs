//! 0 all is well, 1 something is wrong in what was given, 2 it could not run.

use crate::run::{BAD, Folder, GOOD};

#[test]
fn usage() {
    let folder = Folder::with_good_tool();
    for (arguments, complaint) in [
        (&["check", "--frobnicate", "good.json"][..], "--frobnicate"),
        (&["check"], "<FILE>"),
        (&["chekc"], "'check'"),
        (&[], "Usage: toolpact"),
        (&["check", "--as", "tol", "good.json"], "'tool'"),
        (&["check", "--max-depth", "-1", "good.json"], "-1"),
        (&["check", "--deny", "errors", "good.json"], "warnings"),
        (&["schema", "tols"], "'tool'"),
        (&["completions", "tcsh"], "bash"),
        (
            &["explain", "--markdown", "null-field"],
            "cannot be used with",
        ),
        (&["explain", "null-fild"], "did you mean `null-field`?"),
        (&["validate", "--tools", "good.json"], "--calls"),
        (&["validate", "--calls", "good.json"], "--tools"),
        (
            &[
                "check",
                "--fast-path-report",
                "--format",
                "github",
                "good.json",
            ],
            "--fast-path-report goes with --format human and json only",
        ),
        (
            &["serve", "--listen", "nonsense"],
            "'nonsense' for '--listen <ADDRESS>': expected an address such as",
        ),
        (&["serve", "--limit", "calls=5"], "--limit <NAME=NUMBER>"),
        (
            &["serve", "--limit", "call_ms=0"],
            "'call_ms=0' for '--limit <NAME=NUMBER>': expected at least 1, found 0",
        ),
        (
            &["serve", "--allow-host", "a:80"],
            "'--allow-host <HOST>': expected a host without a port",
        ),
        (
            &["serve", "--allow-origin", "a"],
            "'--allow-origin <ORIGIN>': expected an origin such as",
        ),
        (
            &["serve", "--auth-token-env", "NO_SUCH_TOKEN"],
            "'--auth-token-env <NAME>': expected the environment variable `NO_SUCH_TOKEN`",
        ),
        (
            &["serve", "missing.yaml"],
            "missing.yaml: expected a config",
        ),
        (
            &["serve", "--check", "missing/"],
            "expected a config that can be read",
        ),
        (
            &["tools", "--server", "nonsense"],
            "--server nonsense: expected an address",
        ),
        (
            &["tools", "--auth-token-env", "NO_SUCH_TOKEN"],
            "--auth-token-env: cannot read the environment variable NO_SUCH_TOKEN",
        ),
        (
            &["tools", "--tools", "missing.json"],
            "cannot read missing.json",
        ),
        (
            &["call", "x", "--tools", "missing.json"],
            "cannot read missing.json",
        ),
        (
            &["call", "x", "--json", "{", "--tools", "good.json"],
            "expected JSON after --json",
        ),
    ] {
        let ran = folder.run(arguments);
        ran.assert(2, "", complaint);
        // What there is of a list is still told.
        let listed = arguments.contains(&"--tools");
        assert!(listed || ran.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = Folder::new();
    folder.run(["--help"]).assert(0, "Usage: toolpact", "");
    folder
        .run(["help", "check"])
        .assert(0, "Usage: toolpact check", "");
    folder
        .run(["--version"])
        .assert(0, env!("CARGO_PKG_VERSION"), "");
}

#[test]
fn a_missing_file_does_not_hide_the_others() {
    let folder = Folder::with_good_tool().file("bad.json", BAD);
    let ran = folder.run(["check", "missing.json", "bad.json", "good.json"]);
    ran.assert(
        2,
        "error[schema-type-unknown]",
        "error: cannot read missing.json: ",
    );
    ran.assert(2, "2 documents checked: 1 error; 1 could not be read\n", "");

    // Nothing that was looked at is wrong, and still not all is well.
    let ran = folder.run(["check", "good.json", "missing.json"]);
    ran.assert(
        2,
        "1 document checked: no problems; 1 could not be read\n",
        "missing.json",
    );
    let ran = folder.run(["check", "missing.json"]);
    assert_eq!(ran.stdout, "0 documents checked; 1 could not be read\n");
}

#[test]
fn formats_for_programs_are_whole_although_a_file_is_missing() {
    let folder = Folder::new().file("bad.json", BAD);
    for format in ["json", "sarif"] {
        let ran = folder.run(["check", "--format", format, "missing.json", "bad.json"]);
        ran.assert(2, "schema-type-unknown", "missing.json");
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        if format == "json" {
            assert_eq!(report["summary"]["errors"], 1);
            assert_eq!(report["summary"]["unread"], 1);
        }
    }
}

#[test]
fn digest_goes_on_too() {
    let folder = Folder::with_good_tool().file("bad.json", BAD);
    let ran = folder.run(["digest", "missing.json", "bad.json", "good.json"]);
    ran.assert(2, "  good.json\n", "cannot read missing.json");
    ran.assert(2, "", "error[schema-type-unknown]");
    assert_eq!(ran.stdout.lines().count(), 1, "digests and nothing else");
    folder
        .run(["digest", "bad.json"])
        .assert(1, "", "schema-type-unknown");
}

#[test]
fn a_pattern_or_a_directory_without_anything_to_check() {
    let folder = Folder::with_good_tool().file("empty/notes.txt", "nothing of ours");
    folder
        .run(["check", "*.yaml"])
        .assert(2, "", "no file matches *.yaml");
    folder
        .run(["check", "[.json"])
        .assert(2, "", "not a pattern: [.json");
    folder
        .run(["check", "empty"])
        .assert(1, "nothing to check\n", "");
}

#[test]
fn warnings_are_errors_on_request_only() {
    let folder = Folder::new().file(
        "warning.json",
        r#"{"type": "STRING", "items": {"type": "STRING"}}"#,
    );
    folder
        .run(["check", "warning.json"])
        .assert(0, "1 warning", "");
    folder
        .run(["check", "--deny", "warnings", "warning.json"])
        .assert(1, "1 warning", "");
}

#[test]
fn streams_that_cannot_be_read() {
    let folder = Folder::with_good_tool()
        .file("calls.jsonl", "")
        .file("bad.json", BAD);
    let validate = |arguments: &[&str]| folder.run([&["validate", "--tools"], arguments].concat());
    validate(&["good.json", "--calls", "."]).assert(2, "", "cannot read .: it is a directory");
    validate(&["good.json", "--calls", "missing.jsonl"]).assert(2, "", "cannot read missing.jsonl");
    validate(&["missing.json", "--calls", "calls.jsonl"]).assert(2, "", "cannot read missing.json");
    validate(&["*.yaml", "--calls", "calls.jsonl"]).assert(2, "", "no file matches");
    validate(&[
        "good.json",
        "--calls",
        "calls.jsonl",
        "--report",
        "no/such/directory",
    ])
    .assert(2, "", "cannot write no/such/directory");
    validate(&["good.json", "--calls", "calls.jsonl/below"]).assert(2, "", "calls.jsonl/below");

    let ran = validate(&["bad.json", "--calls", "calls.jsonl"]);
    ran.assert(1, "nothing validated: the tools are not valid\n", "");
    let ran = validate(&["good.json", "--calls", "calls.jsonl"]);
    ran.assert(0, "calls.jsonl: 0 calls, all valid\n", "");
}

#[test]
fn standard_input_can_be_read_once() {
    let folder = Folder::with_good_tool();
    let refused = "standard input can be only one of";
    for arguments in [
        ["--calls", "-", "--results", "-", "--tools", "good.json"],
        ["--calls", "-", "--results", "good.json", "--tools", "-"],
    ] {
        folder
            .run_with(GOOD, [&["validate"], &arguments[..]].concat())
            .assert(2, "", refused);
    }
    let ran = folder.run_with(GOOD, ["check", "-", "-"]);
    ran.assert(0, "1 document checked: no problems\n", "");
    let ran = folder.run_with(GOOD, ["check", "--fix", "-"]);
    ran.assert(2, "", "cannot fix standard input");
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_report_does_not_overwrite_what_it_reports_on() {
    let calls = "{\"name\": \"get_time\", \"args\": {}}\n";
    let folder = Folder::with_good_tool().file("calls.jsonl", calls);
    for victim in ["calls.jsonl", "./good.json"] {
        let ran = folder.run([
            "validate",
            "--tools",
            "good.json",
            "--calls",
            "calls.jsonl",
            "--report",
            victim,
        ]);
        ran.assert(2, "", "the report would overwrite ");
    }
    assert_eq!(folder.read("calls.jsonl"), calls);
    assert_eq!(folder.read("good.json"), GOOD);
}

/// Everyone may open this file, and nobody can read its beginning.
#[cfg(target_os = "linux")]
#[test]
fn a_stream_that_breaks_off() {
    let call = "{\"name\": \"get_time\", \"args\": {}}\n";
    let folder = Folder::with_good_tool().file("calls.jsonl", call);
    let arguments = ["--calls", "calls.jsonl", "--results", "/proc/self/mem"];
    let ran = folder.run([&["validate", "--tools", "good.json"], &arguments[..]].concat());
    ran.assert(
        2,
        "calls.jsonl: 1 call, 1 invalid\n",
        "cannot read /proc/self/mem: ",
    );
}
