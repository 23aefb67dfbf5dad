//! The forms of a result.

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::model::ToolResult;
use toolpact::core::returns::{ErrorKind, Level, Returns, StandardType};
use toolpact::{Call, Completed, ToolError, testing};

use crate::support::{call, contract, session, value};

fn contract_of(standard: StandardType) -> Contract {
    contract("tool", &format!(r#""returns": "{standard}""#))
}

/// The examples of a type that mean something, failures included.
fn examples(standard: StandardType) -> Vec<Value> {
    let enforcer = contract_of(standard).returns().enforcer(Level::Meaning);
    let examples = standard.examples().into_iter();
    examples
        .filter(|example| enforcer.check(example).is_ok())
        .collect()
}

async fn failed(standard: StandardType, kind: ErrorKind) -> Completed {
    let fake = testing::fake_contract(contract_of(standard), move |_| {
        Err::<Value, _>(ToolError::new(kind, "It did not work.").with_detail("at", 5))
    });
    session(fake).call(call("tool")).await
}

#[tokio::test]
async fn a_success_is_the_same_value_in_every_view() {
    for standard in StandardType::all() {
        for example in examples(standard) {
            let fake = testing::fake_value(contract_of(standard), example.clone());
            let session = session(fake);
            let completed = session.call(call("tool").id("c1")).await;
            if !completed.is_success() {
                continue; // an example of a failure
            }
            assert_eq!(
                completed.to_json(),
                Some(completed.to_adl().text().as_bytes().to_vec())
            );
            assert_eq!(completed.to_value().as_ref(), Some(&example));
            assert_eq!(completed.to_adl(), example);
            let record = format!(r#"{{"tool": "tool", "input": {{}}, "output": {example}}}"#);
            assert_eq!(completed.to_record(), value(&record));
            let Some(ToolResult::Success { name, content }) = completed.to_adm() else {
                panic!("{completed:?}");
            };
            assert_eq!((name.as_str(), &content), ("tool", &example));
            assert!(!completed.text().is_empty());
            let json = session.call_json(br#"{"name":"tool","args":{}}"#).await;
            assert_eq!(
                Value::from_json(json).unwrap(),
                value(&completed.to_adm().unwrap().to_json())
            );
            assert_eq!(completed.call_id(), Some("c1"));
        }
    }
}

#[tokio::test]
async fn a_failure_keeps_to_the_envelope_of_its_type() {
    for standard in StandardType::all() {
        let promise = Returns::Standard {
            standard,
            refinement: None,
        };
        for kind in ErrorKind::all() {
            let completed = failed(standard, kind).await;
            testing::assert_failure(&completed, kind);
            let adl = completed.to_adl();
            let checked = promise.enforcer(Level::Meaning).check(&adl);
            assert!(checked.is_ok(), "{standard} {kind:?}: {adl}\n{checked:?}");
            // Literally so, if the type has an envelope for it; a list has one with its data.
            if standard.has_error_envelope() || standard == StandardType::ListResult {
                let checked = promise.enforcer(Level::Shape).check(&adl);
                assert!(checked.is_ok(), "{standard} {kind:?}: {adl}\n{checked:?}");
            }
            let error = adl.root().get("error").unwrap();
            assert_eq!(error.get("code").unwrap().as_str().unwrap(), kind.code());
        }
    }
}

#[tokio::test]
async fn a_failure_is_told_in_every_view() {
    let completed = failed(StandardType::StringValue, ErrorKind::NotFound).await;
    assert_eq!((completed.to_json(), completed.to_value()), (None, None));
    assert_eq!(completed.output::<Value>(), None);
    insta::assert_snapshot!(completed.to_adl(), @r#"{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"It did not work.","details":{"at":5}}}"#);
    insta::assert_snapshot!(completed.to_record(), @r#"{"tool":"tool","input":{},"error":{"code":"NOT_FOUND_RESOURCE","message":"It did not work.","details":{"at":5}}}"#);
    insta::assert_snapshot!(completed.to_adm().unwrap().to_json(), @r#"{"name":"tool","status":"ERROR","error":{"message":"It did not work.","type":"RESOURCE_NOT_FOUND"}}"#);
    insta::assert_snapshot!(completed.text(), @r"
    Error NOT_FOUND_RESOURCE: It did not work.
    at: 5
    What to do: the same call will fail again. Check the name or identifier, or look it up first.
    ");
}

#[tokio::test]
async fn a_record_has_the_arguments_as_they_were_used() {
    let json = r#"{"name": "double", "description": "Doubles.", "returns": "NumberValue",
        "parameters": {"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}, "required": ["n"]}}"#;
    let contract = Contract::from_json(json).unwrap();
    let fake = testing::fake_value(contract, value("4"));
    let calls = fake.calls();
    let session = session(fake);
    let completed = session
        .call(Call::new("double", value(r#"{"n": 2.0}"#)))
        .await;
    assert_eq!(
        completed.to_record().text(),
        r#"{"tool":"double","input":{"n":2},"output":4}"#
    );
    assert_eq!(calls.last().unwrap().text(), r#"{"n": 2}"#);
    let wrong = session
        .call(Call::new("double", value(r#"{"n": 2.5}"#)))
        .await;
    assert_eq!(
        wrong.to_record().root().get("input").unwrap().text(),
        r#"{"n":2.5}"#
    );
    assert!(wrong.contract().is_some() && wrong.error().is_some());
}
