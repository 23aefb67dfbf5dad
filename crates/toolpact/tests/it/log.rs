//! The call log: one line of JSON for each call.

use std::io::Write;
use std::sync::{Arc, Mutex};

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{
    Call, Error, Registry, Session, ToolError,
    error::ErrorKind,
    observe::{JsonLines, LoggedCall, Redact, ResultRecord, read_lines},
    registry::RegistryBuilder,
    testing,
};

use crate::support::{call, contract, value};
use crate::world::{Place as _, leaves_out};

/// Something to write to that can be read.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Lines {
    fn all(&self) -> Vec<Value> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'));
        text.lines().map(value).collect()
    }
}

fn login() -> Contract {
    Contract::from_json(
        r#"{"name": "login", "description": "Logs in.",
            "parameters": {
                "type": "object",
                "properties": {
                    "user": {"type": "string"},
                    "login": {"type": "object", "properties": {"Password": {"type": "string"}}}
                },
                "required": ["user"], "additionalProperties": false
            },
            "returns": "VoidResult"}"#,
    )
    .unwrap()
}

fn open(builder: RegistryBuilder, redact: Option<Redact>) -> (Session, Lines) {
    let lines = Lines::default();
    let log = JsonLines::new(lines.clone());
    let registry = builder
        .log(match redact {
            Some(redact) => log.redact(redact),
            None => log,
        })
        .build();
    registry
        .place(testing::fake_value(login(), value(r#"{"success": true}"#)))
        .unwrap();
    let broken = contract("broken", r#""returns": "NumberValue""#);
    registry
        .place(testing::fake_value(broken, value("\"s3cr3t\"")))
        .unwrap();
    let failing = testing::fake_contract(contract("failing", ""), |_| {
        Err::<Value, _>(ToolError::internal("the disk is full"))
    });
    registry.toolset("shop").unwrap().place(failing).unwrap();
    (registry.session().open().unwrap(), lines)
}

fn secret() -> Call {
    let args = r#"{"user": "ada", "login": {"Password": "s3cr3t"}}"#;
    Call::new("login", value(args)).id("c1")
}

/// A field of a line, as JSON.
fn field<'a>(line: &'a Value, name: &str) -> &'a str {
    line.root().get(name).map_or("", |node| node.text())
}

#[tokio::test]
async fn a_line_says_who_called_what_under_which_contract() {
    let (session, lines) = open(Registry::builder(), None);
    session.call(secret()).await;
    let [line] = &lines.all()[..] else {
        panic!("{:?}", lines.all());
    };
    assert_eq!(field(line, "tool"), "\"login\"");
    assert_eq!(field(line, "session"), session.id().to_string());
    assert_eq!(field(line, "call_id"), "\"c1\"");
    assert_eq!(field(line, "outcome"), "\"SUCCESS\"");
    assert_eq!(field(line, "digest"), format!("\"{}\"", login().digest()));
    assert!(field(line, "micros").parse::<u64>().is_ok());
    let time = field(line, "time").trim_matches('"').to_owned();
    assert!(
        time.parse::<toolpact::returns::Timestamp>().is_ok(),
        "{time}"
    );
    // No values unless someone says which.
    let args = r#"{"user":"[redacted]","login":"[redacted]"}"#;
    assert_eq!(field(line, "args"), args);
}

#[tokio::test]
async fn what_is_left_out_is_left_out_at_every_depth() {
    let (session, lines) = open(Registry::builder(), Some(Redact::fields(["password"])));
    session.call(secret()).await;
    let args = r#"{"user":"ada","login":{"Password":"[redacted]"}}"#;
    assert_eq!(field(&lines.all()[0], "args"), args);
    let (session, lines) = open(Registry::builder(), Some(Redact::nothing()));
    session.call(secret()).await;
    assert!(field(&lines.all()[0], "args").contains("s3cr3t"));
}

#[tokio::test]
async fn failures_are_written_down_without_what_was_returned() {
    let (session, lines) = open(Registry::builder(), Some(Redact::nothing()));
    session.call(call("broken")).await;
    session.call(call("failing")).await;
    session.call(call("no_such_tool")).await;
    session
        .call_json(br#"{"name":"login","args":{"usr":"ada"}}"#)
        .await;
    let lines = lines.all();
    let outcomes: Vec<&str> = lines.iter().map(|line| field(line, "outcome")).collect();
    let expected = [
        "INTERNAL_CONTRACT",
        "INTERNAL_ERROR",
        "NOT_FOUND_ENDPOINT",
        "VALIDATION_FORMAT",
    ];
    assert_eq!(outcomes, expected.map(|code| format!("\"{code}\"")));
    let [broken, failing, unknown, wrong] = &lines[..] else {
        panic!("{lines:?}");
    };
    assert!(!broken.text().contains("s3cr3t"), "{broken}");
    assert!(field(broken, "violations").contains("value-"), "{broken}");
    if !leaves_out("log::failures_are_written_down_without_what_was_returned") {
        assert_eq!(field(failing, "cause"), "\"the disk is full\"");
    }
    assert_eq!(field(failing, "toolset"), "\"shop\"");
    assert_eq!(field(unknown, "digest"), "");
    let violations = r#"["value-missing-key","value-unknown-key at /usr"]"#;
    assert_eq!(field(wrong, "violations"), violations);
}

#[tokio::test]
async fn repairs_are_written_down() {
    let (session, lines) = open(Registry::builder().repair(true), None);
    let call = Call::new("login", value(r#"{"user": "ada", "extra": "s3cr3t"}"#));
    session.call(call).await;
    let line = &lines.all()[0];
    assert_eq!(field(line, "outcome"), "\"SUCCESS\"");
    assert!(
        field(line, "repairs").contains("unknown-key-dropped at /extra"),
        "{line}"
    );
    assert!(!line.text().contains("s3cr3t"), "{line}");
}

#[tokio::test]
async fn the_log_is_read_back() {
    let (session, lines) = open(Registry::builder(), Some(Redact::fields(["password"])));
    session.call(secret().id("c1")).await;
    session.call(call("broken")).await;
    session.call(call("shop__failing")).await;
    session.call(call("nowhere")).await;
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let calls = read_lines::<LoggedCall>(text.as_bytes());
    let calls: Vec<LoggedCall> = calls.map(Result::unwrap).collect();
    assert_eq!(calls.len(), 4);
    assert_eq!(calls[0].tool, "login");
    assert_eq!(calls[0].call_id.as_deref(), Some("c1"));
    assert_eq!(calls[0].outcome, "SUCCESS");
    let args = calls[0].args.as_ref().unwrap().text();
    assert_eq!(args, r#"{"user":"ada","login":{"Password":"[redacted]"}}"#);
    assert_eq!(calls[1].outcome, "INTERNAL_CONTRACT");
    assert!(!calls[1].violations.is_empty());
    // Written again, it is the same text.
    let again = calls
        .iter()
        .map(|call| serde_json::to_string(call).unwrap() + "\n");
    assert_eq!(again.collect::<String>(), text);
}

#[test]
fn a_line_that_cannot_be_read_is_named_and_the_rest_is_read() {
    let good = r#"{"time":"2026-11-16T09:30:00Z","session":1,"toolName":"greet","outcome":"SUCCESS","micros":52}"#;
    let unknown = good.replace("session", "sesion");
    let text = format!("{good}\n\n{unknown}\n{}\n{good}", &good[..40]);
    let read: Vec<_> = read_lines::<LoggedCall>(text.as_bytes()).collect();
    let tools: Vec<Result<&str, &str>> = read
        .iter()
        .map(|call| call.as_ref().map(|call| &*call.tool).map_err(Error::place))
        .collect();
    assert_eq!(
        tools,
        [Ok("greet"), Err("line 3"), Err("line 4"), Ok("greet")]
    );
    let error = read[1].as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRecord);
    assert!(
        error
            .to_string()
            .starts_with("line 3: unknown field `sesion`, expected one of"),
        "{error}"
    );
    assert!(
        std::error::Error::source(error)
            .unwrap()
            .is::<serde_json::Error>()
    );
}

/// What `to_record` writes can be stored, read back and made into the typed value again.
#[tokio::test]
async fn the_record_of_a_result_is_read_back() {
    let (session, _) = open(Registry::builder(), None);
    let (done, failed) = (
        session.call(secret()).await,
        session.call(call("broken")).await,
    );
    let text = format!("{}\n{}\n", done.to_record(), failed.to_record());
    let records = read_lines::<ResultRecord>(text.as_bytes());
    let records: Vec<ResultRecord> = records.map(Result::unwrap).collect();
    assert_eq!(records[0].tool, "login");
    assert_eq!(records[0].outcome.as_ref().ok(), done.to_value().as_ref());
    assert_eq!(records[0].input, *done.input::<Value>().unwrap());
    let error = records[1].outcome.as_ref().unwrap_err();
    assert_eq!(error.code(), "INTERNAL_CONTRACT");
    let written: Value = value(&serde_json::to_string(&records[0]).unwrap());
    assert_eq!(written, done.to_record());

    let others = r#"{"toolName": "t", "input": {}, "output": null}"#;
    let other: ResultRecord = serde_json::from_str(others).unwrap();
    assert_eq!((&*other.tool, other.outcome), ("t", Ok(value("null"))));
    for (wrong, expected) in [
        (r#"{"tool": "t", "input": {}}"#, "found neither"),
        (
            r#"{"tool": "t", "input": {}, "output": 1, "error": {"code": "X", "message": "x"}}"#,
            "found both",
        ),
        (
            r#"{"tool": "t", "input": {}, "outptu": 1}"#,
            "unknown field `outptu`",
        ),
    ] {
        let error = serde_json::from_str::<ResultRecord>(wrong)
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// The outcome that a result says is in the log, as REST and MCP have it.
#[tokio::test]
async fn the_log_has_the_outcome_of_a_result() {
    let lines = Lines::default();
    let log = JsonLines::new(lines.clone());
    let registry = Registry::builder().log(log).build();
    let results = [
        (
            "OperationStatus",
            r#"{"operation_id": "1", "status": "pending", "created_at": "2026-01-01T00:00:00Z"}"#,
            "PENDING",
        ),
        (
            "BatchResult",
            r#"{"success": true, "batch_id": "b", "total": 2, "successful": 1, "failed": 1}"#,
            "PARTIAL",
        ),
        ("VoidResult", r#"{"success": true}"#, "SUCCESS"),
    ];
    for (returns, result, _) in results {
        let promise = contract(returns, &format!(r#""returns": "{returns}""#));
        registry
            .place(testing::fake_value(promise, value(result)))
            .unwrap();
    }
    let session = registry.session().open().unwrap();
    for (tool, _, expected) in results {
        let completed = session.call(call(tool)).await;
        assert_eq!(completed.outcome().unwrap().to_string(), expected);
        let all = lines.all();
        let logged = field(all.last().unwrap(), "outcome");
        assert_eq!(logged, format!("\"{expected}\""), "{tool}");
    }
}
