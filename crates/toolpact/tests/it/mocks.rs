//! Tools that answer from their contracts.

use std::time::{Duration, Instant};

use serde_json::json;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::mock::{Behaviour, Delay, Mock, MockedError, Often};
use toolpact::{Call, Completed, Definition, Registry, Session};

const ORDERS: &str = r#"{
    "name": "find_orders",
    "description": "Finds orders.",
    "parameters": {"type": "object", "properties": {"customer": {"type": "string"}}, "required": ["customer"]},
    "returns": {"type": "ListResult", "schema": {"properties": {"data": {"items": {"type": "object",
        "required": ["id", "total"], "properties": {
            "id": {"type": "string", "pattern": "^ord_[0-9]{4}$"},
            "total": {"type": "number", "minimum": 0}}}}}}},
    "run": {"command": ["false"]}
}"#;

fn session(contract: &str, mock: &Mock) -> Session {
    let contract = Contract::from_json(contract).unwrap();
    let registry = Registry::new();
    registry.add(Definition::mocked(contract, mock)).unwrap();
    registry.session().open().unwrap()
}

async fn call(session: &Session, args: serde_json::Value) -> Completed {
    let name = session.names().next().unwrap().to_owned();
    let args = Value::from_json(args.to_string()).unwrap();
    session.call(Call::new(name, args)).await
}

async fn json_of(session: &Session, args: serde_json::Value) -> String {
    let completed = call(session, args).await;
    assert!(completed.is_success(), "{:?}", completed.error());
    String::from_utf8(completed.to_json().unwrap().clone()).unwrap()
}

#[tokio::test]
async fn the_same_arguments_have_the_same_answer() {
    let session_of = |seed| {
        let mock = Mock {
            seed,
            ..Mock::default()
        };
        session(ORDERS, &mock)
    };
    let (one, same, other) = (session_of(1), session_of(1), session_of(2));
    let (mut changed, mut seeded) = (0, 0);
    for customer in 0..20 {
        let args = json!({"customer": customer.to_string()});
        let answer = json_of(&one, args.clone()).await;
        assert_eq!(json_of(&one, args.clone()).await, answer);
        assert_eq!(json_of(&same, args.clone()).await, answer);
        seeded += u32::from(json_of(&other, args).await != answer);
        changed += u32::from(json_of(&one, json!({"customer": "x"})).await != answer);
    }
    assert!(changed > 10 && seeded > 10, "{changed} {seeded}");
}

/// Arguments are checked as ever, and nothing runs.
#[tokio::test]
async fn arguments_are_checked() {
    let session = session(ORDERS, &Mock::default());
    let refused = call(&session, json!({"customer": 5})).await;
    assert_eq!(refused.error().unwrap().kind(), ErrorKind::WrongArgument);
}

#[tokio::test]
async fn examples_come_first() {
    let contract = r#"{"name": "slug", "description": "Makes a slug.", "parameters": {"type": "object"},
        "returns": {"type": "StringValue", "examples": ["a-slug"]}}"#;
    let session = session(contract, &Mock::default());
    assert_eq!(call(&session, json!({})).await.text(), "a-slug");
}

/// How output becomes a result is no affair of a mock.
#[tokio::test]
async fn a_mapping_is_not_applied() {
    let contract = r#"{"name": "names", "description": "Lists names.", "parameters": {"type": "object"},
        "returns": "ListResult", "lift": {"data": "/items"}}"#;
    let session = session(contract, &Mock::default());
    assert!(json_of(&session, json!({})).await.contains("\"data\""));
}

#[tokio::test]
async fn errors_of_every_kind() {
    for kind in ErrorKind::all() {
        let error: MockedError = format!("{}=1/2", kind.code()).parse().unwrap();
        let all = Behaviour {
            errors: vec![error],
            ..Behaviour::default()
        };
        let mock = Mock {
            all,
            ..Mock::default()
        };
        let session = session(ORDERS, &mock);
        let args = || json!({"customer": "Ada"});
        let mut codes = Vec::new();
        for _ in 0..4 {
            let completed = call(&session, args()).await;
            codes.push(completed.error().map(|error| error.code().to_owned()));
        }
        let code = Some(kind.code().to_owned());
        assert_eq!(codes, [None, code.clone(), None, code], "{kind}");
    }
}

#[tokio::test]
async fn a_share_of_the_calls_fails() {
    let mock = Mock {
        all: Behaviour {
            errors: vec!["RATE_LIMIT_EXCEEDED=25%".parse().unwrap()],
            ..Behaviour::default()
        },
        ..Mock::default()
    };
    let session = session(ORDERS, &mock);
    let mut failed = 0;
    for number in 0..400 {
        let completed = call(&session, json!({"customer": number.to_string()})).await;
        failed += u32::from(!completed.is_success());
    }
    assert!((60..140).contains(&failed), "{failed}");
}

/// What breaks the contract is withheld, and said to be.
#[tokio::test]
async fn breaches_are_caught() {
    let mock = Mock {
        all: Behaviour {
            breaches: Some(Often::every(2)),
            ..Behaviour::default()
        },
        ..Mock::default()
    };
    let session = session(ORDERS, &mock);
    for round in 0..30 {
        let args = json!({"customer": round.to_string()});
        assert!(call(&session, args.clone()).await.is_success());
        let broken = call(&session, args).await;
        let error = broken.error().unwrap();
        assert_eq!(error.kind(), ErrorKind::ContractViolation, "{error:?}");
    }
}

#[tokio::test]
async fn calls_take_as_long_as_is_said() {
    let slow: Delay = "120-150=1/2".parse().unwrap();
    let mock = Mock {
        tools: [(
            "find_orders".to_owned(),
            Behaviour {
                delays: vec![slow],
                ..Behaviour::default()
            },
        )]
        .into(),
        ..Mock::default()
    };
    let session = session(ORDERS, &mock);
    call(&session, json!({"customer": "Ada"})).await;
    let start = Instant::now();
    call(&session, json!({"customer": "Ada"})).await;
    assert!(start.elapsed() >= Duration::from_millis(120));
}

#[test]
fn settings_are_read_and_written() {
    let written = json!({
        "seed": 7,
        "all": {"errors": ["EXTERNAL_TIMEOUT=1/5"], "delays": ["100-400=always"], "breaches": "2.5%"},
        "tools": {"find_orders": {}},
    });
    let mock: Mock = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(serde_json::to_value(&mock).unwrap(), written);
    for (wrong, message) in [
        (
            json!({"all": {"breaches": "10"}}),
            "expected a share of the calls such as `10%`, every so many calls such as `1/10`, or `always`, found `10`",
        ),
        (
            json!({"all": {"errors": ["EXTERNAL_TIMEOUTS"]}}),
            "expected the code of an error, such as `EXTERNAL_TIMEOUT`, found `EXTERNAL_TIMEOUTS`",
        ),
        (
            json!({"all": {"delays": ["400-100"]}}),
            "expected milliseconds such as `200` or `100-400`, found `400-100`",
        ),
        (json!({"all": {"breaches": "1/0"}}), "found `1/0`"),
        (json!({"all": {"breaches": "101%"}}), "found `101%`"),
        (json!({"all": {"breaches": "NaN%"}}), "found `NaN%`"),
    ] {
        let error = serde_json::from_value::<Mock>(wrong).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}
