//! Tools that are programs, from the contract document to the result.

use std::time::Duration;

use toolpact::core::contract::{Contract, ContractDocument};
use toolpact::core::json::{Document, Limits as ReadLimits};
use toolpact::core::returns::ErrorKind;
use toolpact::{Call, Completed, Definition, Error, Registry, Session, testing};

use crate::support::{call, contract, session, soon, value};
use crate::world::{Place as _, leaves_out};

const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: word_count
    description: Counts the words of a text.
    parameters:
      type: object
      properties:
        text: { type: string }
        least: { type: integer, default: 1, description: Letters a word has at least. }
      required: [text]
      additionalProperties: false
    returns: NumberValue
    text: "{{ value }} words"
    effects: { read_only: true }
    run:
      command:
        - python3
        - -c
        - |
          import json, sys
          args = json.load(sys.stdin)
          words = [w for w in args["text"].split() if len(w) >= args.get("least", 1)]
          print("counting", file=sys.stderr)
          json.dump({"success": True, "value": len(words)}, sys.stdout)
  - name: shout
    description: Gives back what it got, in capitals.
    parameters:
      type: object
      properties: { text: { type: string } }
      required: [text]
    returns: opaque
    run: { command: [sh, -c, "tr a-z A-Z"] }
"#;

fn open() -> Session {
    let document = Document::yaml(TOOLS.as_bytes(), &ReadLimits::default());
    let document = ContractDocument::check(&document).into_result().unwrap();
    let registry = Registry::new();
    let tools = document.tools().cloned().map(Definition::run);
    registry.place_all(tools).unwrap();
    registry.session().open().unwrap()
}

#[tokio::test]
async fn arguments_go_in_and_the_result_comes_out() {
    let session = open();
    let args = value(r#"{"text": "the tide is high", "least": 3}"#);
    let completed = soon(session.call(Call::new("word_count", args))).await;
    testing::assert_success(&completed);
    assert_eq!(
        completed.to_value(),
        Some(value(r#"{"success": true, "value": 3}"#))
    );
    assert_eq!(completed.text(), "3 words");
    let completed = soon(session.call(call("word_count"))).await;
    testing::assert_failure(&completed, ErrorKind::MissingArgument);
}

#[tokio::test]
async fn text_is_enough_where_no_more_is_promised() {
    let call = Call::new("shout", value(r#"{"text": "tide"}"#));
    let completed = soon(open().call(call)).await;
    testing::assert_success(&completed);
    assert_eq!(completed.text(), r#"{"TEXT": "TIDE"}"#);
}

/// What comes of a program of the shell with this promise.
async fn shell(returns: &str, script: &str) -> Completed {
    promised(&format!("\"{returns}\""), script).await
}

/// The same with a promise in JSON, and what else the contract says.
async fn promised(returns: &str, script: &str) -> Completed {
    let run = format!(r#""returns": {returns}, "run": {{"command": ["sh", "-c", {script:?}]}}"#);
    let tool = Definition::run(contract("program", &run)).unwrap();
    soon(session(tool).call(call("program"))).await
}

#[tokio::test]
async fn what_a_program_writes_is_held_to_the_contract() {
    testing::assert_success(&shell("NumberValue", "echo 5").await);
    for script in [
        "echo five",
        "echo '\"5\"'",
        "echo '{\"success\": true}'",
        "true",
        "echo 5 6",
    ] {
        let completed = shell("NumberValue", script).await;
        testing::assert_failure(&completed, ErrorKind::ContractViolation);
    }
    testing::assert_success(&shell("opaque", "echo five; echo six").await);
}

/// Replaced characters would be a result that no program wrote.
#[tokio::test]
async fn bytes_that_are_not_text_are_refused() {
    for returns in ["opaque", "StringValue"] {
        let completed = shell(returns, r"printf 'caf\351'").await;
        testing::assert_failure(&completed, ErrorKind::Internal);
        let error = completed.error().unwrap();
        assert_eq!(
            error.message(),
            "The tool returned bytes that are not text."
        );
        if leaves_out("commands::bytes_that_are_not_text_are_refused") {
            continue;
        }
        let source = error.source().unwrap().to_string();
        assert!(
            source.contains("not UTF-8, first at byte 3; have it write UTF-8"),
            "{source}"
        );
    }
    testing::assert_success(&shell("StringValue", r"printf 'caf\303\251'").await);
}

#[tokio::test]
async fn a_stack_trace_is_no_object() {
    for returns in [
        r#"{"type": "object"}"#,
        r#"{"properties": {"text": {"type": "string"}, "id": {"type": "integer"}}}"#,
        r#""ObjectResult""#,
    ] {
        let completed = promised(returns, "echo 'Traceback of s3cret'").await;
        testing::assert_failure(&completed, ErrorKind::ContractViolation);
        assert!(!completed.text().contains("s3cret"), "{}", completed.text());
    }
}

#[tokio::test]
async fn what_an_opaque_program_writes_keeps_its_quotes() {
    let completed = shell("opaque", "echo '\"hello\"'").await;
    assert_eq!(completed.to_value(), Some(value(r#""\"hello\"""#)));
    assert_eq!(completed.text(), "\"hello\"");
}

/// What is promised, what a program does, and the result.
const NATURAL: &[(&str, &str, &str)] = &[
    (
        r#""ListResult""#,
        "echo '[{\"id\": 1}]'",
        r#"{"success": true, "data": [{"id": 1}]}"#,
    ),
    (
        r#""ObjectResult""#,
        "echo '{\"id\": 1}'",
        r#"{"success": true, "data": {"id": 1}}"#,
    ),
    (r#""VoidResult""#, "true", r#"{"success": true}"#),
    (r#""StringValue""#, "echo some words", r#""some words""#),
    (r#""StringValue""#, "echo 42", r#""42""#),
    (
        r#""IdentifierValue""#,
        "echo 42",
        r#"{"success": true, "id": "42"}"#,
    ),
    (r#""NumberValue""#, "echo 42", "42"),
    (
        r#""ListResult""#,
        "echo '{\"items\": [], \"total\": 0}'",
        r#"{"success": true, "data": [], "pagination": {"total": 0}}"#,
    ),
    (
        r#""ListResult", "lift": {"data": "/a/b"}"#,
        "echo '{\"a\": {\"b\": []}}'",
        r#"{"success": true, "data": []}"#,
    ),
];

#[tokio::test]
async fn natural_output_of_programs_is_lifted() {
    for (returns, script, expected) in NATURAL {
        let completed = promised(returns, script).await;
        testing::assert_success(&completed);
        assert_eq!(
            completed.to_value(),
            Some(value(expected)),
            "{returns}: {script}"
        );
    }
}

#[tokio::test]
async fn a_program_that_fails_may_say_why() {
    let error = r#"{"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "No such word."}}"#;
    for status in [0, 3] {
        let completed = shell("NumberValue", &format!("echo '{error}'; exit {status}")).await;
        testing::assert_failure(&completed, ErrorKind::NotFound);
        assert_eq!(completed.error().unwrap().message(), "No such word.");
    }
    // What it says elsewhere is not for models.
    let completed = shell("NumberValue", "echo s3cr3t; echo s3cr3t >&2; exit 3").await;
    testing::assert_failure(&completed, ErrorKind::Internal);
    assert!(!completed.text().contains("s3cr3t"), "{}", completed.text());
}

#[tokio::test]
async fn a_program_that_takes_too_long_is_ended() {
    let run =
        r#""returns": "NumberValue", "timeout_ms": 50, "run": {"command": ["sleep", "3600"]}"#;
    let tool = Definition::run(contract("program", run)).unwrap();
    let session = session(tool);
    testing::assert_failure(
        &soon(session.call(call("program"))).await,
        ErrorKind::TimedOut,
    );
    let entry = session.get("program").unwrap();
    let gone = async {
        while entry.running() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon(gone).await;
}

#[tokio::test]
async fn a_program_that_is_not_there() {
    let run = r#""returns": "NumberValue", "run": {"command": ["no-such-program-anywhere"]}"#;
    let tool = Definition::run(contract("program", run)).unwrap();
    let completed = soon(session(tool).call(call("program"))).await;
    testing::assert_failure(&completed, ErrorKind::Configuration);
    let adm = completed.to_adm().unwrap().to_json();
    assert!(
        adm.contains("CONFIGURATION_ERROR") && !adm.contains("no-such"),
        "{adm}"
    );
}

#[test]
fn a_contract_that_says_nothing_cannot_be_run() {
    let error = Definition::run(contract("program", "")).unwrap_err();
    insta::assert_snapshot!(error, @"the contract of `program` does not say how it is run; add `run`, or give it a closure");
}

#[test]
fn how_a_tool_is_run_is_no_part_of_its_version() {
    let one = contract("program", r#""run": {"command": ["a"]}"#);
    let other = contract("program", r#""run": {"command": ["b"]}"#);
    assert_eq!(one.digest(), other.digest());
    assert_eq!(Contract::from_json(one.to_json()).unwrap(), other);
}

/// Why a program failed is in the source of its error, for programs as well as for the logs.
#[tokio::test]
async fn the_error_of_a_program_has_a_kind_a_place_and_a_source() {
    if leaves_out("commands::the_error_of_a_program_has_a_kind_a_place_and_a_source") {
        return;
    }
    let failed = async |command: &str| {
        let run = format!(r#""returns": "NumberValue", "run": {{"command": {command}}}"#);
        let tool = Definition::run(contract("program", &run)).unwrap();
        soon(session(tool).call(call("program"))).await
    };
    let source = |completed: &Completed| {
        let error = completed.error().unwrap().source().unwrap();
        let error = error.downcast_ref::<Error>().unwrap();
        assert_eq!(error.kind(), toolpact::error::ErrorKind::Program);
        let cause = std::error::Error::source(error).is_some();
        let (code, place) = (error.code(), error.place().to_owned());
        (code, place, error.exit_status(), cause)
    };
    let completed = failed(r#"["no-such-program-anywhere"]"#).await;
    let program = "no-such-program-anywhere".to_owned();
    assert_eq!(
        source(&completed),
        ("program-not-found", program, None, false)
    );
    let completed = failed(r#"["/etc/passwd"]"#).await;
    let program = "/etc/passwd".to_owned();
    assert_eq!(
        source(&completed),
        ("program-cannot-start", program, None, true)
    );
    let completed = failed(r#"["sh", "-c", "exit 3"]"#).await;
    assert_eq!(
        source(&completed),
        ("program-exit", "sh".to_owned(), Some(3), false)
    );
}
