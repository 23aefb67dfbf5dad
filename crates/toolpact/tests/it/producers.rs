//! Tools without types: the typed value, else the details, else the text.

use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::{Completed, define::UntypedOutput, testing};

use crate::support::{call, contract, session, value};

async fn completed(returns: &str, produced: UntypedOutput) -> Completed {
    let more = match returns {
        "" => String::new(),
        returns => format!(r#""returns": {returns}"#),
    };
    let fake = testing::fake_contract(contract("producer", &more), move |_| Ok(produced.clone()));
    session(fake).call(call("producer")).await
}

fn details() -> UntypedOutput {
    UntypedOutput::default().with_details(value(r#"{"n": 2}"#))
}

#[tokio::test]
async fn the_typed_value_comes_first() {
    let typed = UntypedOutput::from(value(r#"{"n": 1}"#));
    let typed = typed.with_details(value(r#"{"n": 2}"#)).with_text("three");
    let completed = completed("", typed).await;
    assert_eq!(completed.output::<Value>(), Some(&value(r#"{"n": 1}"#)));
    // A text that is there is what the model reads.
    assert_eq!(completed.text(), "three");
}

#[tokio::test]
async fn then_details_that_are_an_object() {
    let found = completed("", details().with_text("three")).await;
    assert_eq!(found.to_value(), Some(value(r#"{"n": 2}"#)));
    assert_eq!(found.text(), "three");
    let list = UntypedOutput::text("three").with_details(value("[2]"));
    let found = completed("", list).await;
    assert_eq!(found.to_value(), Some(value(r#"{"text": "three"}"#)));
}

#[tokio::test]
async fn then_the_text() {
    let found = completed("", UntypedOutput::text("a \"b\"")).await;
    assert_eq!(found.to_value(), Some(value(r#"{"text": "a \"b\""}"#)));
    assert_eq!(found.text(), "a \"b\"");
    let found = completed("", UntypedOutput::default()).await;
    assert_eq!(found.to_value(), Some(value(r#"{"text": ""}"#)));
    // Where no more than text is promised, it is the result itself.
    let found = completed(r#""opaque""#, UntypedOutput::text("three")).await;
    assert_eq!(found.to_value(), Some(value("\"three\"")));
}

#[tokio::test]
async fn all_of_them_are_held_to_the_contract() {
    let schema =
        r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;
    testing::assert_success(&completed(schema, details()).await);
    let text = completed(schema, UntypedOutput::text("n is 2")).await;
    testing::assert_failure(&text, ErrorKind::ContractViolation);
    testing::assert_violation(&text, "value-missing-key", "");
    let texts =
        r#"{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}"#;
    testing::assert_success(&completed(texts, UntypedOutput::text("n is 2")).await);
    let number = completed(
        r#""NumberValue""#,
        UntypedOutput::from(value("\"2\"")).with_text("2"),
    )
    .await;
    testing::assert_failure(&number, ErrorKind::ContractViolation);
    assert!(!number.text().contains("2\n"), "{}", number.text());
}

#[tokio::test]
async fn without_a_text_the_contract_says_how_it_reads() {
    let fake = testing::fake_value(
        contract(
            "told",
            r#""returns": "NumberValue", "text": "It is {{ value }}.""#,
        ),
        value(r#"{"success": true, "value": 5}"#),
    );
    assert_eq!(session(fake).call(call("told")).await.text(), "It is 5.");
    // A template that does not fit is no reason to say nothing.
    let fake = testing::fake_value(
        contract(
            "told",
            r#""returns": "NumberValue", "text": "It is {{ value }}.""#,
        ),
        value("5"),
    );
    let text = session(fake).call(call("told")).await.text();
    assert!(text.contains('5'), "{text}");
}
