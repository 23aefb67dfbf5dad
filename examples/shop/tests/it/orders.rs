//! Finding and reading orders.

use std::collections::HashSet;

use serde_json::{Value as Json, json};
use toolpact::core::returns::ErrorKind;

use crate::support::{Fixture, ORDERS, shop, text};

async fn page(shop: &Fixture, filter: &Json, page: u64, per_page: u64) -> Json {
    let args = json!({"filter": filter, "page": page, "per_page": per_page});
    shop.ok("search_orders", args).await
}

#[tokio::test]
async fn pages_have_every_order_once_and_the_newest_first() {
    let shop = shop();
    let filter = json!({"archived": true});
    let mut seen: Vec<(String, String)> = Vec::new();
    for number in 1..=8 {
        let found = page(&shop, &filter, number, 30).await;
        let place = &found["pagination"];
        assert_eq!(place["total"], ORDERS);
        assert_eq!(place["total_pages"], 8);
        assert_eq!(place["has_next"], number < 8);
        assert_eq!(place["has_prev"], number > 1);
        let orders = found["data"].as_array().unwrap();
        assert_eq!(orders.len(), if number < 8 { 30 } else { 20 });
        seen.extend(
            orders
                .iter()
                .map(|o| (text(&o["placed_at"]), text(&o["order"]))),
        );
    }
    let mut sorted = seen.clone();
    sorted.sort_by(|a, b| b.cmp(a));
    assert_eq!(seen, sorted);
    let different: HashSet<_> = seen.iter().collect();
    assert_eq!(different.len() as u64, ORDERS);
    let beyond = page(&shop, &filter, 9, 30).await;
    assert_eq!(beyond["data"], json!([]));
    assert_eq!(beyond["pagination"]["has_next"], false);
}

#[tokio::test]
async fn pages_stay_in_place_when_many_orders_come_in_one_second() {
    let shop = shop();
    for _ in 0..12 {
        shop.order("TEA-001", 1).await;
    }
    let whole = page(&shop, &json!({}), 1, 12).await;
    let mut parts = Vec::new();
    for number in 1..=4 {
        let part = page(&shop, &json!({}), number, 3).await;
        parts.extend(part["data"].as_array().unwrap().clone());
    }
    assert_eq!(whole["data"], Json::from(parts));
}

#[tokio::test]
async fn filters_choose() {
    let shop = shop();
    let all = page(&shop, &json!({"archived": true}), 1, 100).await;
    let some = &all["data"][40];
    let (day, customer) = (&text(&some["placed_at"])[..10], &some["customer"]);
    let filter = json!({"archived": true, "from": day, "to": day, "customer": customer});
    let found = page(&shop, &filter, 1, 10).await;
    assert!(found["data"].as_array().unwrap().contains(some), "{found}");
    for order in found["data"].as_array().unwrap() {
        assert_eq!(&text(&order["placed_at"])[..10], day);
        assert_eq!(&order["customer"], customer);
    }
    let cancelled = page(
        &shop,
        &json!({"status": "cancelled", "archived": true}),
        1,
        100,
    )
    .await;
    let count = cancelled["data"].as_array().unwrap().len();
    assert!(count > 0);
    assert!(
        cancelled["data"]
            .as_array()
            .unwrap()
            .iter()
            .all(|o| o["status"] == "cancelled")
    );
    let open = page(&shop, &json!({}), 1, 1).await;
    assert!(
        open["pagination"]["total"].as_u64().unwrap() < ORDERS,
        "some are archived"
    );
    let failure = json!({"filter": {"from": "2026-02-02", "to": "2026-02-01"}});
    let failure = shop
        .fails("search_orders", failure, ErrorKind::WrongArgument)
        .await;
    assert!(
        failure.message.contains("Swap `from` and `to`"),
        "{}",
        failure.message
    );
}

#[tokio::test]
async fn text_is_found_by_the_beginnings_of_words_without_accents() {
    let shop = shop();
    let lines = json!([{"product": "CUP-004", "quantity": 1}]);
    let note = "Für die Großmutter in Tromsø, bitte!";
    let order = json!({"customer": "C-102", "lines": lines, "note": note});
    let made = shop.ok("create_order", order).await;
    for words in ["tromsø", "FUR", "bitt", "teapot trom"] {
        let found = page(&shop, &json!({"text": words}), 1, 100).await;
        let orders = found["data"].as_array().unwrap();
        let has = orders.iter().any(|order| order["order"] == made["id"]);
        assert!(has, "{words}: {found}");
    }
    let found = page(&shop, &json!({"text": "tromsø unheard-of"}), 1, 100).await;
    assert_eq!(found["data"], json!([]));
    shop.fails(
        "search_orders",
        json!({"filter": {"text": "*\"("}}),
        ErrorKind::WrongArgument,
    )
    .await;
}

#[tokio::test]
async fn an_order_says_what_it_is_related_to() {
    let shop = shop();
    let (order, version) = shop.newest("delivered").await;
    let entity = shop.ok("get_order", json!({"order": order})).await;
    assert_eq!(
        (&entity["id"], &entity["type"]),
        (&json!(order), &json!("order"))
    );
    let attributes = &entity["attributes"];
    assert_eq!(attributes["version"], version);
    let lines = attributes["lines"].as_array().unwrap();
    let cents = |value: &Json| text(value).replace('.', "").parse::<i64>().unwrap();
    let sum: i64 = lines.iter().map(|line| cents(&line["price"])).sum();
    assert_eq!(sum, cents(&attributes["total"]));
    for line in lines {
        let quantity = line["quantity"].as_i64().unwrap();
        assert_eq!(cents(&line["unit_price"]) * quantity, cents(&line["price"]));
    }
    let customer = &entity["relationships"]["customer"]["data"];
    let found = shop
        .ok("get_customer", json!({"customer": customer["id"]}))
        .await;
    let latest = found["relationships"]["latest_orders"]["data"]
        .as_array()
        .unwrap();
    assert!(!latest.is_empty());
    for product in entity["relationships"]["products"]["data"]
        .as_array()
        .unwrap()
    {
        let product = shop
            .ok("get_product", json!({"product": product["id"]}))
            .await;
        assert_eq!(product["type"], "product");
    }
}

#[tokio::test]
async fn what_is_not_there_has_a_neighbour() {
    let shop = shop();
    let failure = shop
        .fails(
            "get_order",
            json!({"order": "O-999999"}),
            ErrorKind::NotFound,
        )
        .await;
    let last = format!("O-{}", 1000 + ORDERS);
    assert!(failure.message.contains(&last), "{}", failure.message);
    assert_eq!(failure.details["nearest"], last);
    for tool in ["summarize_order", "archive_order"] {
        shop.fails(tool, json!({"order": "O-1"}), ErrorKind::NotFound)
            .await;
    }
    let failure = shop
        .fails(
            "get_customer",
            json!({"customer": "C-1"}),
            ErrorKind::NotFound,
        )
        .await;
    assert_eq!(failure.details["nearest"], "C-101");
    let failure = shop
        .fails(
            "get_product",
            json!({"product": "TEA-999"}),
            ErrorKind::NotFound,
        )
        .await;
    assert!(text(&failure.details["nearest"]).starts_with("TEA-"));
    shop.fails(
        "get_order",
        json!({"order": "1001"}),
        ErrorKind::WrongArgument,
    )
    .await;
}

#[tokio::test]
async fn a_summary_is_a_sentence() {
    let shop = shop();
    let order = shop.order("TEA-001", 2).await;
    let summary = shop.ok("summarize_order", json!({"order": order})).await;
    let summary = text(&summary["value"]);
    assert!(summary.starts_with(&format!("{order} of ")), "{summary}");
    assert!(
        summary.ends_with(" is open: 2 x Assam Breakfast, 250 g. Total: 17.80 EUR."),
        "{summary}"
    );
}

#[tokio::test]
async fn counts_are_those_of_the_pages() {
    let shop = shop();
    for filter in [
        json!({}),
        json!({"archived": true}),
        json!({"status": "sent"}),
        json!({"text": "tea"}),
    ] {
        let count = shop.ok("count_orders", json!({"filter": filter})).await;
        let found = page(&shop, &filter, 1, 1).await;
        assert_eq!(count["value"], found["pagination"]["total"]);
        assert_eq!(count["unit"], "orders");
    }
}
