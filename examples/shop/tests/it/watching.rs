//! Hearing of orders as they come.

use serde_json::{Value as Json, json};
use toolpact::core::json::Value;
use toolpact::session::Update;
use toolpact::{Call, testing};

use crate::support::{LONG, call, create, ok, shop, text};

fn read(value: &Value) -> Json {
    serde_json::from_str(value.text()).unwrap()
}

#[tokio::test]
async fn orders_that_come_meanwhile_are_seen_in_turn() {
    let shop = shop();
    let args = Value::from_json(r#"{"most": 4, "seconds": 60}"#).unwrap();
    let mut running = shop.session.call_streaming(Call::new("watch_orders", args));
    let session = shop.session.clone();
    let writer = tokio::spawn(async move {
        // Until somebody watches, nobody hears; so the first orders may be missed.
        let mut made = Vec::new();
        for _ in 0..400 {
            made.push(create(&session, "SWE-001", 1).await);
            if session.get("watch_orders").unwrap().running() == 0 && made.len() > 4 {
                break;
            }
        }
        made
    });
    let mut heard = Vec::new();
    while let Some(update) = tokio::time::timeout(LONG, running.next()).await.unwrap() {
        let Update::Item(event) = update else {
            panic!("{update:?}")
        };
        heard.push(read(&event));
    }
    let completed = running.finish().await;
    testing::assert_success(&completed);
    heard.push(read(&completed.to_value().unwrap()));
    let made = writer.await.unwrap();
    assert_eq!(heard.len(), 4);
    assert!(heard.iter().all(|event| event["event"] == "order.created"));
    let orders: Vec<String> = heard
        .iter()
        .map(|event| text(&event["data"]["order"]))
        .collect();
    let first = made.iter().position(|order| *order == orders[0]).unwrap();
    assert_eq!(orders, made[first..first + 4]);
}

#[tokio::test]
async fn nothing_is_missed_from_one_call_to_the_next() {
    let shop = shop();
    let order = shop.order("SWE-002", 1).await;
    let update = json!({"order": order, "version": 1, "status": "cancelled"});
    shop.ok("update_order", update).await;
    shop.ok("archive_order", json!({"order": order})).await;
    let mut after = 0;
    for name in ["order.created", "order.updated", "order.archived"] {
        let event = shop.ok("watch_orders", json!({"after": after})).await;
        assert_eq!(
            (&event["event"], &event["data"]["order"]),
            (&json!(name), &json!(order))
        );
        after = text(&event["id"]).parse().unwrap();
    }
    let quiet = shop
        .ok("watch_orders", json!({"after": after, "seconds": 1}))
        .await;
    assert_eq!(quiet, json!({"event": "quiet", "id": after.to_string()}));
}

#[tokio::test]
async fn who_stops_listening_stops_the_watch() {
    let shop = shop();
    let args = Value::from_json(r#"{"most": 1000, "seconds": 60}"#).unwrap();
    let mut running = shop.session.call_streaming(Call::new("watch_orders", args));
    let entry = shop.session.get("watch_orders").unwrap().clone();
    while entry.running() == 0 {
        let _ = tokio::time::timeout(std::time::Duration::from_millis(5), running.next()).await;
    }
    drop(running);
    let stopped = async {
        while entry.running() > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LONG, stopped).await.unwrap();
    assert!(
        call(&shop.session, "count_orders", json!({}))
            .await
            .is_success()
    );
    ok(&shop.session, "count_orders", json!({})).await;
}
