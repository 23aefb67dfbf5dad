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
    testing::assert_violation(&text, "value-type", "");
    let number = completed(
        r#""NumberValue""#,
        UntypedOutput::from(value("\"2\"")).with_text("2"),
    )
    .await;
    testing::assert_failure(&number, ErrorKind::ContractViolation);
    assert!(!number.text().contains("2\n"), "{}", number.text());
}

/// A schema that leaves much open is still a promise of structure.
#[tokio::test]
async fn text_never_satisfies_a_promise_of_structure() {
    for schema in [
        r#"{"type": "object"}"#,
        r#"{"properties": {"text": {"type": "string"}, "id": {"type": "integer"}}}"#,
        r#"{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}"#,
        r#"{"type": "array"}"#,
        r#""ObjectResult""#,
        r#""VoidResult""#,
    ] {
        let found = completed(schema, UntypedOutput::text("Traceback of s3cret")).await;
        testing::assert_failure(&found, ErrorKind::ContractViolation);
        testing::assert_violation(&found, "value-type", "");
        let adl = found.to_adl().to_pretty();
        assert!(adl.contains("text that is no JSON"), "{adl}");
        assert!(
            !adl.contains("s3cret") && !found.text().contains("s3cret"),
            "{adl}"
        );
    }
    // Where nothing is refused, it is told what it breaks.
    let fake = testing::fake_contract(
        contract("producer", r#""returns": {"type": "object"}"#),
        |_| Ok(UntypedOutput::text("three")),
    );
    let call = call("producer").enforcement(toolpact::call::Enforcement::Warn);
    let found = session(fake).call(call).await;
    assert_eq!(found.to_value(), Some(value(r#"{"text": "three"}"#)));
    assert_eq!(found.violations().len(), 1);
}

#[tokio::test]
async fn opaque_results_are_text() {
    let typed = UntypedOutput::from(value(r#"{"a": 1}"#));
    for (output, text) in [
        (UntypedOutput::text("\"hello\""), "\"hello\""),
        (UntypedOutput::from(value("\"hello\"")), "hello"),
        (UntypedOutput::from(value("null")), "null"),
        (typed.clone(), r#"{"a": 1}"#),
        (typed.with_text("a is 1"), "a is 1"),
    ] {
        let found = completed(r#""opaque""#, output).await;
        assert_eq!(found.to_value(), Some(Value::from(text)));
        assert_eq!(found.text(), text);
    }
}

#[tokio::test]
async fn natural_output_is_lifted() {
    let list = completed(r#""ListResult""#, value(r#"[{"id": 1}]"#).into()).await;
    let expected = value(r#"{"success": true, "data": [{"id": 1}]}"#);
    assert_eq!(list.to_value(), Some(expected));
    let nothing = completed(r#""VoidResult""#, UntypedOutput::default()).await;
    assert_eq!(nothing.to_value(), Some(value(r#"{"success": true}"#)));
    assert_ne!(nothing.text(), "");
    let never = completed(r#""ListResult", "lift": "never""#, value("[]").into()).await;
    testing::assert_violation(&never, "value-type", "");
    // What is wrong is said of what the tool gave.
    let list = completed(r#""ListResult""#, value(r#"[{"id": 1}, 2]"#).into()).await;
    testing::assert_violation(&list, "value-type", "/1");
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
