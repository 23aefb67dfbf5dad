//! The call log: one line of JSON for each call.

use std::io::Write;
use std::sync::{Arc, Mutex};

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{
    Call, Registry, Session, ToolError,
    observe::{JsonLines, Redact},
    registry::RegistryBuilder,
    testing,
};

use crate::support::{call, contract, value};

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
        .add(testing::fake_value(login(), value(r#"{"success": true}"#)))
        .unwrap();
    let broken = contract("broken", r#""returns": "NumberValue""#);
    registry
        .add(testing::fake_value(broken, value("\"s3cr3t\"")))
        .unwrap();
    let failing = testing::fake_contract(contract("failing", ""), |_| {
        Err::<Value, _>(ToolError::internal("the disk is full"))
    });
    registry.toolset("shop").unwrap().add(failing).unwrap();
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
    assert_eq!(field(failing, "cause"), "\"the disk is full\"");
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
