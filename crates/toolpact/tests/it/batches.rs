//! Several calls at once, and sessions as services.

use std::convert::Infallible;
use std::sync::Arc;

use tokio::sync::Semaphore;
use toolpact::core::json::Value;
use toolpact::core::returns::{ErrorKind, Level, StandardType};
use toolpact::returns::StandardResult as _;
use toolpact::{
    Call, Completed, Context, Definition, Registry, ToolError, call::CallLimits, testing,
};
use tower::ServiceExt as _;

use crate::support::{call, contract, returning, session, soon, value};
use crate::world::Place as _;

#[tokio::test]
async fn results_come_in_the_order_of_the_calls() {
    // The first cannot end before the last has: whoever ends first comes last.
    let last_is_done = Arc::new(Semaphore::new(0));
    let signal = last_is_done.clone();
    let first = Definition::new(contract("first", ""), move |_: Value, _: Context| {
        let signal = signal.clone();
        async move {
            signal.acquire().await?.forget();
            Ok::<_, ToolError>(value("1"))
        }
    });
    let last = testing::fake_contract(contract("last", ""), move |_| {
        last_is_done.add_permits(1);
        Ok(value("2"))
    });
    let registry = Registry::new();
    registry.place(first).unwrap();
    registry.place(last).unwrap();
    let session = registry.session().open().unwrap();
    let batch = session.call_batch([call("first"), call("nothing"), call("last").id("z")]);
    let batch = soon(batch).await;
    let values: Vec<Option<Value>> = batch.completed().iter().map(Completed::to_value).collect();
    assert_eq!(values, [Some(value("1")), None, Some(value("2"))]);
    testing::assert_failure(&batch.completed()[1], ErrorKind::UnknownTool);

    let result = batch.to_result().unwrap();
    assert_eq!(
        (result.total(), result.successful(), result.failed()),
        (3, 2, 1)
    );
    let json = result.to_value().unwrap();
    let enforcer = toolpact::core::returns::Returns::Standard {
        standard: StandardType::BatchResult,
        refinement: None,
    };
    enforcer.enforcer(Level::Meaning).check(&json).unwrap();
    let ids = json.root().get("items").unwrap().items();
    let ids: Vec<&str> = ids.map(|item| item.get("id").unwrap().text()).collect();
    assert_eq!(ids, ["\"1\"", "\"2\"", "\"z\""]);
}

#[tokio::test]
async fn a_large_batch_waits_for_its_turn() {
    let tool = returning(contract("one", r#""returns": "NumberValue""#), "1");
    let session = session(tool.limits(CallLimits::default().at_once(4).waiting(300)));
    let batch = soon(session.call_batch((0..3_000).map(|_| call("one")))).await;
    let failed = batch
        .into_completed()
        .into_iter()
        .find(|one| !one.is_success());
    assert!(failed.is_none(), "{failed:?}");
}

#[tokio::test]
async fn a_batch_of_nothing() {
    let session = Registry::new().session().open().unwrap();
    let batch = session.call_batch([]).await;
    assert!(batch.completed().is_empty());
    assert_eq!(batch.to_result().unwrap().total(), 0);
}

#[tokio::test]
async fn a_session_is_a_service() {
    let double = testing::fake_contract(contract("one", r#""returns": "NumberValue""#), |_| {
        Ok(value("1"))
    });
    let session = session(double);
    let completed = session.clone().oneshot(call("one")).await;
    testing::assert_success(&completed.unwrap_or_else(|never: Infallible| match never {}));

    // Layers can be put around it.
    let service = session
        .map_request(|name: &str| call(name).id("from outside"))
        .map_response(|completed: Completed| {
            (completed.call_id().map(str::to_owned), completed.text())
        });
    let answer = service.clone().oneshot("one").await.unwrap();
    assert_eq!(answer, (Some("from outside".to_owned()), "1".to_owned()));
    let (_, text) = service.oneshot("two").await.unwrap();
    assert!(text.contains("NOT_FOUND_ENDPOINT"), "{text}");
}

#[tokio::test]
async fn a_call_is_read_as_adm_has_it() {
    let session = session(returning(
        contract("one", r#""returns": "NumberValue""#),
        "1",
    ));
    let call = Call::from_json(r#"{"name": "one", "args": {}}"#).unwrap();
    testing::assert_success(&session.call(call).await);
    assert!(Call::from_json(r#"{"name": "one"}"#).is_err());
    let odd = session
        .call_json(br#" { "args" : { } , "name" : "one" } "#)
        .await;
    assert_eq!(odd, br#"{"name":"one","status":"SUCCESS","content":1}"#);
}
