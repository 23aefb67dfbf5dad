//! Arguments that are nearly right: refused, unless repair is on.

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::testing::{self, Calls};
use toolpact::{Call, Registry, Session};

use crate::support::value;
use crate::world::Place as _;

fn open(repair: bool) -> (Session, Calls<Value>) {
    let contract = Contract::from_json(
        r#"{"name": "search", "description": "Searches.",
            "parameters": {
                "type": "object",
                "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
                "required": ["query"], "additionalProperties": false
            },
            "returns": "VoidResult"}"#,
    );
    let fake = testing::fake_value(contract.unwrap(), value(r#"{"success": true}"#));
    let calls = fake.calls();
    let registry = Registry::builder().repair(repair).build();
    registry.place(fake).unwrap();
    (registry.session().open().unwrap(), calls)
}

fn nearly() -> Call {
    Call::new(
        "search",
        value(r#"{"query": "tide", "limit": "5", "lang": null}"#),
    )
}

#[tokio::test]
async fn nothing_is_put_right_unless_that_is_wanted() {
    let (session, calls) = open(false);
    let completed = session.call(nearly()).await;
    testing::assert_failure(&completed, ErrorKind::WrongArgument);
    testing::assert_violation(&completed, "value-type", "/limit");
    testing::assert_violation(&completed, "value-unknown-key", "/lang");
    assert!(completed.repairs().is_empty());
    assert_eq!(calls.count(), 0);
}

#[tokio::test]
async fn what_is_put_right_is_reported() {
    let (session, calls) = open(true);
    let completed = session.call(nearly()).await;
    testing::assert_success(&completed);
    let repairs: Vec<(&str, String)> = completed
        .repairs()
        .iter()
        .map(|repair| (repair.kind.code(), repair.pointer.to_string()))
        .collect();
    let expected = [
        ("number-from-string", "/limit"),
        ("unknown-key-dropped", "/lang"),
    ];
    assert_eq!(repairs, expected.map(|(kind, at)| (kind, at.to_owned())));
    // The tool, and the record of the call, have the arguments as they became.
    let became = value(r#"{"query": "tide", "limit": 5}"#);
    assert_eq!(calls.all(), std::slice::from_ref(&became));
    assert_eq!(completed.input::<Value>(), Some(&became));
    assert_eq!(session.get("search").unwrap().metrics().repairs(), 1);
}

#[tokio::test]
async fn the_call_has_the_last_word() {
    let (session, _) = open(true);
    assert!(!session.call(nearly().repair(false)).await.is_success());
    let (session, _) = open(false);
    assert!(session.call(nearly().repair(true)).await.is_success());
}

#[tokio::test]
async fn what_cannot_be_put_right_is_refused_as_it_came() {
    let (session, calls) = open(true);
    let hopeless = r#"{"query": "tide", "limit": "many", "lang": null}"#;
    let completed = session.call(Call::new("search", value(hopeless))).await;
    testing::assert_failure(&completed, ErrorKind::WrongArgument);
    testing::assert_violation(&completed, "value-type", "/limit");
    assert!(completed.repairs().is_empty());
    assert_eq!(completed.input::<Value>(), Some(&value(hopeless)));
    // What would become right in form but not in value.
    let zero = session
        .call(Call::new(
            "search",
            value(r#"{"query": "x", "limit": "0"}"#),
        ))
        .await;
    testing::assert_failure(&zero, ErrorKind::WrongArgument);
    assert_eq!(calls.count(), 0);
    assert_eq!(session.get("search").unwrap().metrics().repairs(), 0);
}

#[tokio::test]
async fn what_is_right_is_left_alone() {
    let (session, calls) = open(true);
    let args = value(r#"{"query": "5", "limit": 5}"#);
    let completed = session.call(Call::new("search", args.clone())).await;
    testing::assert_success(&completed);
    assert!(completed.repairs().is_empty());
    assert_eq!(calls.last(), Some(args));
}

#[tokio::test]
async fn a_refusal_says_everything_at_once() {
    let (session, _) = open(false);
    let completed = session
        .call(Call::new("search", value(r#"{"limit": 0, "qury": "x"}"#)))
        .await;
    insta::assert_snapshot!(completed.text(), @r"
    Error VALIDATION_FORMAT: expected the required key `query`, found none
    /limit: expected at least 1, found the number 0
    /qury: expected no keys but those of the schema, found `qury`; did you mean `query`?
    What to do: correct the argument and call again.
    ");
}
