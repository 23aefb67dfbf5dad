//! Streams on several threads: what is said is what one thread would say.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::run::{Folder, Ran, repository};

/// Several blocks of calls and results of contracts, right, wrong and none at all.
fn folder() -> Folder {
    let shop = std::fs::read(repository().join("examples/shop.yaml")).unwrap();
    let calls = [
        r#"{"name": "cancel_order", "args": {"order": "O-1"}}"#,
        r#"{"name": "search_orders", "args": {"customer": "C000001", "page": 3}}"#,
        r#"{"args": {"order": "O-1"}, "name": "quote_shipping"}"#,
        r#"{"name": "search_orders", "args": {"customer": "1", "page": 0}}"#,
        r#"{"name": "serch_orders", "args": {}}"#,
        "",
        r#"{"name": "cancel_order", "args": {"order": "O-1""#,
        r#"{"name": "get_order", "args": {"order": 5}}"#,
        "\u{fffd}",
    ];
    let results = [
        r#"{"name": "cancel_order", "status": "SUCCESS", "content": {"success": true}}"#,
        r#"{"name": "search_orders", "status": "SUCCESS", "content": {"success": true, "data": []}}"#,
        r#"{"name": "quote_shipping", "status": "SUCCESS", "content": {"success": false, "error": {"code": "ODD", "message": "No."}}}"#,
        r#"{"name": "quote_shipping", "status": "ERROR", "error": {"message": " "}}"#,
        r#"{"name": "search_orders", "status": "ERROR", "error": {"message": "No."}}"#,
        "  ",
    ];
    let lines = |lines: &[&str], count: usize| {
        let each = (0..count).map(|i| lines[i * 7 / 5 % lines.len()]);
        each.collect::<Vec<_>>().join("\n")
    };
    Folder::new()
        .file("shop.yaml", shop)
        .file("calls.jsonl", lines(&calls, 20_000))
        .file("results.jsonl", lines(&results, 20_100))
}

fn validate(folder: &Folder, options: &[&str]) -> (Ran, String) {
    let streams = [
        "--calls",
        "calls.jsonl",
        "--results",
        "results.jsonl",
        "--report",
        "report.jsonl",
    ];
    let ran = folder.run([&["validate", "--tools", "shop.yaml"], &streams[..], options].concat());
    (ran, folder.read("report.jsonl"))
}

#[test]
fn as_many_as_one_likes_say_the_same() {
    let folder = folder();
    let (one, report) = validate(&folder, &["--threads", "1"]);
    one.assert(1, "calls.jsonl: 17,777 calls, ", "");
    assert!(report.lines().count() > 10_000);
    let options: [&[&str]; 4] = [
        &[],
        &["--threads", "2"],
        &["--threads", "9"],
        // Documents of less than the usual depth are not for the fast path.
        &["--threads", "3", "--max-depth", "127"],
    ];
    for options in options {
        let (several, same) = validate(&folder, options);
        assert_eq!(several.status, one.status, "{options:?}");
        assert!(several.stdout == one.stdout, "{options:?}");
        assert!(same == report, "{options:?}");
    }
}

#[test]
fn violations_are_limited_line_by_line() {
    let folder = folder();
    let (one, _) = validate(&folder, &["--threads", "1", "--max-violations", "1"]);
    one.assert(1, "more, not listed (--max-violations)\n", "");
    let (two, _) = validate(&folder, &["--threads", "2", "--max-violations", "1"]);
    assert!(two.stdout == one.stdout);
}

/// As with `tail -f`: a line is dealt with when it is there, not when there are many.
#[test]
fn a_line_does_not_wait_for_the_next() {
    let folder = Folder::with_good_tool();
    for threads in ["1", "2"] {
        let stdin = ["validate", "--tools", "good.json", "--calls", "-"];
        let mut command = folder.command([&stdin[..], &["--threads", threads]].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        for number in [1, 3, 5] {
            stdin
                .write_all(b"{\"name\": \"get_time\", \"args\": {}}\n\n")
                .unwrap();
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            assert!(line.starts_with(&format!("<stdin>:{number}:")), "{line}");
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn there_is_at_least_one() {
    let folder = Folder::with_good_tool();
    let arguments = [
        "validate",
        "--tools",
        "good.json",
        "--calls",
        "-",
        "--threads",
    ];
    for none in ["0", "many"] {
        folder
            .run([&arguments[..], &[none]].concat())
            .assert(2, "", "--threads");
    }
}

/// One that is never answered would be one too many.
#[test]
fn more_than_there_are_lines() {
    let folder = Folder::with_good_tool();
    let call = "{\"name\": \"get_time\", \"args\": {\"place\": \"Oslo\"}}";
    let arguments = [
        "validate",
        "--tools",
        "good.json",
        "--calls",
        "-",
        "--threads",
        "50",
    ];
    let ran = folder.run_with(call, arguments);
    ran.assert(0, "<stdin>: 1 call, all valid\n", "");
}
