//! Texts that want to be more than text.

use serde_json::{Value as Json, json};
use toolpact::core::returns::ErrorKind;

use crate::support::{Failure, ORDERS, call, shop};

const TEXTS: [&str; 14] = [
    "'",
    "''; DROP TABLE orders; --",
    "\" OR \"\" = \"",
    "x' UNION SELECT sql FROM t --",
    "%' OR 1=1 --",
    "order_words MATCH 'x'",
    "words : * NEAR(a b) ^ AND NOT",
    "\u{0}nul",
    "../../../etc/passwd",
    "=cmd|'/c calc'!A0",
    "{{ 7 * 7 }}",
    "\u{202e}\u{feff}𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "O-1001\n",
    "C-101 OR 1=1",
];

/// A call of each tool with text in every place where text can be.
fn calls() -> Vec<(&'static str, Json)> {
    let filter = json!({"status": "paid", "customer": "C-101", "from": "2025-01-01", "to": "2026-01-01", "text": "tea"});
    let lines = json!([{"product": "TEA-001", "quantity": 1}]);
    vec![
        ("search_orders", json!({"filter": filter})),
        ("count_orders", json!({"filter": filter})),
        ("sum_sales", json!({"filter": filter})),
        ("export_orders", json!({"filter": filter})),
        ("get_order", json!({"order": "O-1001"})),
        ("summarize_order", json!({"order": "O-1001"})),
        (
            "create_order",
            json!({"customer": "C-101", "lines": lines, "note": "x", "reference": "r"}),
        ),
        (
            "update_order",
            json!({"order": "O-1001", "version": 1, "status": "paid", "note": "x"}),
        ),
        ("archive_order", json!({"order": "O-1001"})),
        ("import_orders", json!({"csv": "x"})),
        ("search_products", json!({"text": "x"})),
        ("get_product", json!({"product": "TEA-001"})),
        ("suggest_slug", json!({"name": "x"})),
        ("get_customer", json!({"customer": "C-101"})),
        ("customer_exists", json!({"email": "x"})),
        ("sales_chart", json!({"until": "2025-01"})),
        ("get_operation", json!({"operation": "OP-1"})),
        ("cancel_operation", json!({"operation": "OP-1"})),
        (
            "read_backup",
            json!({"backup": "backup-20260215T103000Z-1"}),
        ),
    ]
}

/// The places of all texts in a value.
fn places(value: &Json, at: &str, found: &mut Vec<String>) {
    match value {
        Json::String(_) => found.push(at.to_owned()),
        Json::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{n}"), found);
            }
        }
        Json::Object(members) => {
            for (key, member) in members {
                places(member, &format!("{at}/{key}"), found);
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn no_text_is_more_than_text() {
    let shop = shop();
    let mut tried = 0;
    for (tool, args) in calls() {
        let mut found = Vec::new();
        places(&args, "", &mut found);
        for place in found {
            for text in TEXTS {
                let mut args = args.clone();
                *args.pointer_mut(&place).unwrap() = json!(text);
                let completed = call(&shop.session, tool, args).await;
                tried += 1;
                let Some(error) = completed.error() else {
                    continue;
                };
                let kind = error.kind();
                assert!(
                    !matches!(kind, ErrorKind::Internal | ErrorKind::ContractViolation),
                    "{tool} {place} {text}: {error:?}"
                );
                let said = Failure::of(&completed).message.replace(text, "");
                for inside in [
                    "SELECT", "sqlite", "syntax", "fts5", "rusqlite", "no such", "/tmp",
                ] {
                    assert!(!said.contains(inside), "{tool} {place} {text}: {said}");
                }
            }
        }
    }
    assert!(tried > 400, "{tried}");
    let count = shop
        .ok("count_orders", json!({"filter": {"archived": true}}))
        .await;
    assert!(count["value"].as_u64().unwrap() >= ORDERS);
}

#[tokio::test]
async fn notes_come_back_as_they_were() {
    let shop = shop();
    for note in TEXTS {
        let lines = json!([{"product": "TEA-001", "quantity": 1}]);
        let order = json!({"customer": "C-101", "lines": lines, "note": note, "reference": note});
        let made = shop.ok("create_order", order).await;
        let found = shop.ok("get_order", json!({"order": made["id"]})).await;
        assert_eq!(found["attributes"]["note"], note);
    }
}

#[tokio::test]
async fn every_line_of_a_hostile_table_is_answered() {
    let shop = shop();
    for text in TEXTS {
        let cell = text.replace('"', "\"\"");
        let csv = format!(
            "customer,product,quantity,note\n\"{cell}\",TEA-001,1,\nC-101,\"{cell}\",1,\nC-101,TEA-001,\"{cell}\",\nC-101,TEA-001,1,\"{cell}\"\n"
        );
        let batch = shop.ok("import_orders", json!({"csv": csv})).await;
        assert_eq!(
            (&batch["successful"], &batch["failed"]),
            (&json!(1), &json!(3)),
            "{text}: {batch}"
        );
    }
}
