//! The job that writes the index anew.

use serde_json::{Value as Json, json};
use toolpact::core::json::Value;
use toolpact::core::returns::ErrorKind;
use toolpact::session::Update;
use toolpact::{Call, testing};

use crate::support::{LONG, ORDERS, closed, ok, open, shop, text};

#[tokio::test]
async fn a_job_is_followed_to_its_end_and_asked_about_later() {
    let shop = shop();
    let started = shop.ok("start_reindex", json!({"rest_ms": 5})).await;
    assert_eq!(started["status"], "running");
    let id = text(&started["operation_id"]);
    let args = format!(r#"{{"operation": "{id}", "wait": 60}}"#);
    let call = Call::new("get_operation", Value::from_json(args).unwrap());
    let mut running = shop.session.call_streaming(call);
    let mut steps: Vec<u64> = Vec::new();
    while let Some(update) = tokio::time::timeout(LONG, running.next()).await.unwrap() {
        let Update::Progress(status) = update else {
            panic!("{update:?}")
        };
        let progress = status.progress().unwrap();
        assert_eq!(progress.total_steps(), Some(ORDERS));
        steps.push(progress.current_step().unwrap());
    }
    assert!(!steps.is_empty() && steps.is_sorted(), "{steps:?}");
    let completed = running.finish().await;
    testing::assert_success(&completed);
    let done: Json = serde_json::from_slice(&completed.to_json().unwrap()).unwrap();
    assert_eq!(
        (&done["status"], &done["result"]["orders"]),
        (&json!("completed"), &json!(ORDERS))
    );
    // However often it is asked about, and cancelling changes nothing.
    for tool in ["get_operation", "cancel_operation", "get_operation"] {
        assert_eq!(shop.ok(tool, json!({"operation": id})).await, done);
    }
    let found = shop
        .ok(
            "count_orders",
            json!({"filter": {"text": "tea", "archived": true}}),
        )
        .await;
    assert!(found["value"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn a_job_is_called_off_and_there_is_one_at_a_time() {
    let shop = shop();
    let started = shop.ok("start_reindex", json!({"rest_ms": 1000})).await;
    let id = text(&started["operation_id"]);
    let failure = shop
        .fails("start_reindex", json!({}), ErrorKind::WrongState)
        .await;
    assert_eq!(failure.details["operation"], id);
    let cancelled = shop.ok("cancel_operation", json!({"operation": id})).await;
    assert_eq!(cancelled["status"], "cancelled");
    assert!(cancelled["progress"]["current_step"].as_u64().unwrap() < ORDERS);
    // Its thread may still rest; another can start all the same.
    let next = shop.ok("start_reindex", json!({"rest_ms": 0})).await;
    let next = json!({"operation": next["operation_id"], "wait": 60});
    let next = shop.ok("get_operation", next).await;
    assert_eq!(next["status"], "completed");
    assert_eq!(
        shop.ok("get_operation", json!({"operation": id})).await,
        cancelled
    );
    let failure = shop
        .fails(
            "get_operation",
            json!({"operation": "OP-99"}),
            ErrorKind::NotFound,
        )
        .await;
    assert_eq!(failure.details["nearest"], "OP-2");
}

#[tokio::test]
async fn a_job_that_was_interrupted_has_failed() {
    let shop = shop();
    let started = shop.ok("start_reindex", json!({"rest_ms": 1000})).await;
    let dir = shop.dir;
    drop(shop.session);
    closed(dir.path()).await;
    let session = open(dir.path());
    let args = json!({"operation": started["operation_id"]});
    let status = ok(&session, "get_operation", args).await;
    assert_eq!(status["status"], "failed");
    assert_eq!(status["error"]["code"], "EXTERNAL_API_ERROR");
    ok(&session, "start_reindex", json!({})).await;
}

#[tokio::test]
async fn the_index_is_right_again_afterwards() {
    let shop = shop();
    let filter = json!({"filter": {"text": "assam", "archived": true}});
    let before = shop.ok("count_orders", filter.clone()).await;
    let database = rusqlite::Connection::open(shop.dir.path().join("shop.db")).unwrap();
    database.execute("DELETE FROM order_words", ()).unwrap();
    drop(database);
    assert_eq!(shop.ok("count_orders", filter.clone()).await["value"], 0);
    let started = shop.ok("start_reindex", json!({"rest_ms": 0})).await;
    shop.ok(
        "get_operation",
        json!({"operation": started["operation_id"], "wait": 60}),
    )
    .await;
    assert_eq!(shop.ok("count_orders", filter).await, before);
}
