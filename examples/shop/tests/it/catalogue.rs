//! Products and customers.

use serde_json::json;
use toolpact::core::returns::ErrorKind;

use crate::support::{shop, text};

#[tokio::test]
async fn products_are_found_by_a_part_of_their_name() {
    let shop = shop();
    let all = shop.ok("search_products", json!({"per_page": 100})).await;
    let products = all["data"].as_array().unwrap();
    assert_eq!(all["pagination"]["total"], products.len());
    let names: Vec<String> = products
        .iter()
        .map(|product| text(&product["name"]))
        .collect();
    assert!(names.is_sorted());
    let found = shop.ok("search_products", json!({"text": "teaPOT"})).await;
    assert_eq!(found["pagination"]["total"], 2);
    // These are letters here, and no wildcards.
    for text in ["%", "_", "*"] {
        let found = shop.ok("search_products", json!({"text": text})).await;
        let total = found["pagination"]["total"].as_u64().unwrap();
        assert!(total <= 1, "{text}: {total}");
    }
}

#[tokio::test]
async fn a_product_has_reviews() {
    let shop = shop();
    let product = shop
        .ok("get_product", json!({"product": "TEA-001", "reviews": 50}))
        .await;
    let attributes = &product["attributes"];
    assert_eq!(attributes["slug"], "assam-breakfast-250-g");
    assert_eq!(
        (&attributes["price"], &attributes["currency"]),
        (&json!("8.90"), &json!("EUR"))
    );
    let reviews = attributes["reviews"].as_array().unwrap();
    assert!(!reviews.is_empty());
    let stars: Vec<f64> = reviews
        .iter()
        .map(|review| review["stars"].as_f64().unwrap())
        .collect();
    let mean = stars.iter().sum::<f64>() / f64::from(u32::try_from(stars.len()).unwrap());
    assert!(
        (mean - attributes["stars"].as_f64().unwrap()).abs() < 0.051,
        "{attributes}"
    );
    let none = shop
        .ok("get_product", json!({"product": "TEA-001", "reviews": 0}))
        .await;
    assert_eq!(none["attributes"]["reviews"], json!([]));
}

#[tokio::test]
async fn a_slug_is_free() {
    let shop = shop();
    let slug = shop
        .ok("suggest_slug", json!({"name": "Gyokuro, 50 g"}))
        .await;
    assert_eq!(slug["value"], "gyokuro-50-g");
    let slug = shop.ok("suggest_slug", json!({"name": "Gift Card"})).await;
    assert_eq!(slug["value"], "gift-card-2");
    shop.fails(
        "suggest_slug",
        json!({"name": "茶"}),
        ErrorKind::WrongArgument,
    )
    .await;
}

#[tokio::test]
async fn customers_exist_or_not() {
    let shop = shop();
    let customer = shop.ok("get_customer", json!({"customer": "C-101"})).await;
    let email = text(&customer["attributes"]["email"]);
    let cases = [
        (email.to_uppercase(), true),
        (format!(" {email} "), true),
        (format!("x{email}"), false),
    ];
    for (email, exists) in cases {
        let answer = shop.ok("customer_exists", json!({"email": email})).await;
        assert_eq!(answer["value"], exists, "{email}");
    }
}

#[tokio::test]
async fn what_customers_spent_is_what_their_orders_cost() {
    let shop = shop();
    let customer = shop.ok("get_customer", json!({"customer": "C-103"})).await;
    let filter = json!({"customer": "C-103", "archived": true});
    let sum = shop.ok("sum_sales", json!({"filter": filter})).await;
    let spent: f64 = text(&customer["attributes"]["spent"]).parse().unwrap();
    assert_eq!(sum["value"].as_f64(), Some(spent));
}
