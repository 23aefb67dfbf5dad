//! Taking, changing and archiving orders.

use serde_json::{Value as Json, json};
use toolpact::core::returns::ErrorKind;

use crate::support::{Fixture, shop, text};

async fn stock(shop: &Fixture, product: &str) -> i64 {
    let found = shop.ok("get_product", json!({"product": product})).await;
    found["attributes"]["stock"].as_i64().unwrap()
}

async fn set(shop: &Fixture, order: &str, version: u64, status: &str) -> Json {
    let args = json!({"order": order, "version": version, "status": status});
    shop.ok("update_order", args).await["data"].clone()
}

#[tokio::test]
async fn an_order_goes_its_way() {
    let shop = shop();
    let before = stock(&shop, "CUP-001").await;
    let order = shop.order("CUP-001", 3).await;
    assert_eq!(stock(&shop, "CUP-001").await, before - 3);
    for (version, status) in [(1, "paid"), (2, "sent"), (3, "delivered")] {
        let changed = set(&shop, &order, version, status).await;
        assert_eq!(
            (&changed["status"], &changed["version"]),
            (&json!(status), &json!(version + 1))
        );
        assert_eq!(changed["total"], "43.50");
    }
    let done = shop.ok("archive_order", json!({"order": order})).await;
    assert_eq!(done["message"], format!("{order} is archived."));
    let entity = shop.ok("get_order", json!({"order": order})).await;
    assert_eq!(entity["attributes"]["archived"], true);
    let version = &entity["attributes"]["version"];
    shop.ok("archive_order", json!({"order": order})).await;
    let again = shop.ok("get_order", json!({"order": order})).await;
    assert_eq!(
        &again["attributes"]["version"], version,
        "nothing more was changed"
    );
    let note = json!({"order": order, "version": version, "note": "Hello"});
    shop.fails("update_order", note, ErrorKind::BusinessRule)
        .await;
}

#[tokio::test]
async fn what_is_cancelled_can_be_sold_again() {
    let shop = shop();
    let before = stock(&shop, "TEA-002").await;
    let order = shop.order("TEA-002", 5).await;
    set(&shop, &order, 1, "cancelled").await;
    assert_eq!(stock(&shop, "TEA-002").await, before);
}

#[tokio::test]
async fn rules_of_the_business_are_kept() {
    let shop = shop();
    let (sent, version) = shop.newest("sent").await;
    let cancel = json!({"order": sent, "version": version, "status": "cancelled"});
    let failure = shop
        .fails("update_order", cancel, ErrorKind::BusinessRule)
        .await;
    let expected = format!("{sent} is sent and cannot become cancelled. It can become delivered.");
    assert_eq!(failure.message, expected);
    let failure = shop
        .fails(
            "archive_order",
            json!({"order": sent}),
            ErrorKind::BusinessRule,
        )
        .await;
    assert_eq!(failure.details["status"], "sent");

    let stock = stock(&shop, "GEA-001").await;
    let lines = json!([{"product": "GEA-001", "quantity": stock + 1}]);
    let order = json!({"customer": "C-101", "lines": lines});
    let failure = shop
        .fails("create_order", order, ErrorKind::BusinessRule)
        .await;
    assert_eq!(failure.details["stock"], stock);
}

#[tokio::test]
async fn an_order_that_fails_leaves_nothing_behind() {
    let shop = shop();
    let (count, before) = (
        shop.ok("count_orders", json!({})).await,
        stock(&shop, "TEA-001").await,
    );
    let line = |product: &str| json!({"product": product, "quantity": 1});
    for (second, kind) in [
        ("TEA-999", ErrorKind::NotFound),
        ("TEA-001", ErrorKind::WrongArgument),
    ] {
        let lines = json!([line("TEA-001"), line(second)]);
        shop.fails(
            "create_order",
            json!({"customer": "C-101", "lines": lines}),
            kind,
        )
        .await;
    }
    let lines = json!([line("TEA-001")]);
    shop.fails(
        "create_order",
        json!({"customer": "C-1", "lines": lines}),
        ErrorKind::NotFound,
    )
    .await;
    shop.fails(
        "create_order",
        json!({"customer": "C-101", "lines": []}),
        ErrorKind::WrongArgument,
    )
    .await;
    assert_eq!(shop.ok("count_orders", json!({})).await, count);
    assert_eq!(stock(&shop, "TEA-001").await, before);
}

#[tokio::test]
async fn who_comes_second_is_told() {
    let shop = shop();
    let (order, version) = (shop.order("TEA-001", 1).await, 1);
    let change = |note: &str| json!({"order": order, "version": version, "note": note});
    shop.ok("update_order", change("mine")).await;
    let failure = shop
        .fails("update_order", change("yours"), ErrorKind::WrongState)
        .await;
    assert_eq!(failure.details["version"], version + 1);
    let entity = shop.ok("get_order", json!({"order": order})).await;
    assert_eq!(entity["attributes"]["note"], "mine");
    let nothing = json!({"order": order, "version": version + 1});
    shop.fails("update_order", nothing, ErrorKind::WrongArgument)
        .await;
}

#[tokio::test]
async fn a_reference_is_used_once() {
    let shop = shop();
    let lines = json!([{"product": "TEA-003", "quantity": 1}]);
    let order = json!({"customer": "C-101", "lines": lines, "reference": "web-77"});
    let first = shop.ok("create_order", order.clone()).await;
    let failure = shop
        .fails("create_order", order, ErrorKind::Duplicate)
        .await;
    assert_eq!(failure.details["order"], text(&first["id"]));
}
