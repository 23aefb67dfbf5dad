//! Orders from CSV.

use serde_json::{Value as Json, json};
use toolpact::core::returns::ErrorKind;

use crate::support::{shop, text};

fn item<'a>(batch: &'a Json, id: &str) -> &'a Json {
    let items = batch["items"].as_array().unwrap();
    items.iter().find(|item| item["id"] == id).unwrap()
}

#[tokio::test]
async fn good_lines_are_taken_and_bad_ones_reported() {
    let shop = shop();
    let before = shop.ok("count_orders", json!({})).await;
    let csv = "customer,product,quantity,note,reference\r\n\
        C-101,TEA-001,2,\"Ring, then \"\"knock\"\"\",i-1\r\n\
        C-101,TEA-001,two,,\r\n\
        C-9,TEA-001,1,,\r\n\
        C-102, CUP-002 ,1,,i-2\r\n\
        C-102,CUP-002,1,,i-2\r\n\
        C-102,CUP-002\r\n\
        C-102,CUP-002,1000,,\r\n\
        C-102,CUP-02,1,,\r\n\
        C-102,CUP-002,0,,\r\n";
    let batch = shop.ok("import_orders", json!({"csv": csv})).await;
    assert_eq!(
        (&batch["total"], &batch["successful"], &batch["failed"]),
        (&json!(9), &json!(2), &json!(7))
    );
    assert_eq!(batch["success"], true);
    for (line, code, part) in [
        (3, "VALIDATION_FORMAT", "`quantity`"),
        (4, "NOT_FOUND_RESOURCE", "no customer C-9"),
        (6, "CONFLICT_DUPLICATE", "reference"),
        (7, "VALIDATION_FORMAT", "Expected 5 cells"),
        (8, "VALIDATION_BUSINESS_RULE", "in stock"),
        (9, "VALIDATION_FORMAT", "found `CUP-02`"),
        (
            10,
            "VALIDATION_FORMAT",
            "expected a whole number from 1 to 1000, found `0`",
        ),
    ] {
        let error = &item(&batch, &format!("line {line}"))["error"];
        assert_eq!(error["code"], code, "{error}");
        assert!(text(&error["message"]).contains(part), "{error}");
        assert_eq!(error["details"]["line"], line);
    }
    let order = &item(&batch, "line 2")["data"];
    assert_eq!(order["total"], "17.80");
    let entity = shop.ok("get_order", json!({"order": order["order"]})).await;
    assert_eq!(entity["attributes"]["note"], "Ring, then \"knock\"");
    let after = shop.ok("count_orders", json!({})).await;
    assert_eq!(
        after["value"].as_u64(),
        before["value"].as_u64().map(|count| count + 2)
    );
}

#[tokio::test]
async fn a_text_that_is_no_table_is_refused_whole() {
    let shop = shop();
    let before = shop.ok("count_orders", json!({})).await;
    let many = format!(
        "customer,product,quantity\n{}",
        "C-101,TEA-001,1\n".repeat(1001)
    );
    for (csv, part) in [
        ("customer,product\nC-101,TEA-001\n", "`quantity` is missing"),
        ("customer,product,quantity,colour\n", "found `colour`"),
        ("customer,customer,product,quantity\n", "found `customer`"),
        ("\n", "Expected `customer`"),
        (&many, "Expected at most 1000 lines"),
    ] {
        let failure = shop
            .fails(
                "import_orders",
                json!({"csv": csv}),
                ErrorKind::WrongArgument,
            )
            .await;
        assert!(failure.message.contains(part), "{}", failure.message);
    }
    assert_eq!(shop.ok("count_orders", json!({})).await, before);
}

#[tokio::test]
async fn a_table_without_lines_is_an_empty_batch() {
    let shop = shop();
    let batch = shop
        .ok(
            "import_orders",
            json!({"csv": "\u{feff}customer,product,quantity"}),
        )
        .await;
    assert_eq!(
        (&batch["total"], &batch["success"]),
        (&json!(0), &json!(true))
    );
    let next = shop
        .ok("import_orders", json!({"csv": "customer,product,quantity"}))
        .await;
    assert_ne!(batch["batch_id"], next["batch_id"]);
}

#[tokio::test]
async fn all_bad_is_a_failed_batch_that_ran() {
    let shop = shop();
    let csv = "customer,product,quantity\nC-0,TEA-001,1\nC-0,TEA-001,1\n";
    let completed = crate::support::call(&shop.session, "import_orders", json!({"csv": csv})).await;
    assert!(!completed.is_success());
    // What the batch says is kept.
    let batch: serde_json::Value = completed.to_adl().deserialize().unwrap();
    assert_eq!(
        (&batch["failed"], &batch["success"]),
        (&json!(2), &json!(false))
    );
    assert_eq!(batch["errors"][0]["count"], 2);
}
