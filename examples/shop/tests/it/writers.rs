//! Many at once.

use serde_json::json;

use crate::support::{call, create, shop};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_sold_twice() {
    let shop = shop();
    let product = shop.ok("get_product", json!({"product": "GEA-006"})).await;
    let stock = product["attributes"]["stock"].as_u64().unwrap();
    let each = 40;
    let calls: Vec<_> = (0..24)
        .map(|_| {
            let session = shop.session.clone();
            tokio::spawn(async move {
                let lines = json!([{"product": "GEA-006", "quantity": each}]);
                let order = json!({"customer": "C-101", "lines": lines});
                call(&session, "create_order", order).await.is_success()
            })
        })
        .collect();
    let mut sold = 0;
    for call in calls {
        sold += u64::from(call.await.unwrap());
    }
    assert_eq!(sold, (stock / each).min(24), "of {stock}");
    let product = shop.ok("get_product", json!({"product": "GEA-006"})).await;
    assert_eq!(product["attributes"]["stock"], stock - sold * each);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_changes_to_one_version_one_is_made() {
    let shop = shop();
    let (order, version) = (shop.order("TEA-001", 1).await, 1);
    let calls: Vec<_> = (0..16)
        .map(|n| {
            let session = shop.session.clone();
            let change = json!({"order": order, "version": version, "note": format!("note {n}")});
            tokio::spawn(async move { call(&session, "update_order", change).await.is_success() })
        })
        .collect();
    let mut made = 0;
    for call in calls {
        made += u32::from(call.await.unwrap());
    }
    assert_eq!(made, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_writers_and_jobs_do_not_hinder_each_other() {
    let shop = shop();
    shop.ok("start_reindex", json!({"rest_ms": 0})).await;
    let session = shop.session.clone();
    let writer = tokio::spawn(async move {
        let mut made = Vec::new();
        for _ in 0..20 {
            made.push(create(&session, "SWE-003", 1).await);
        }
        made
    });
    let session = shop.session.clone();
    let reader = tokio::spawn(async move {
        for _ in 0..20 {
            for (tool, args) in [
                ("search_orders", json!({})),
                ("sum_sales", json!({})),
                ("backup_database", json!({})),
            ] {
                assert!(call(&session, tool, args).await.is_success(), "{tool}");
            }
        }
    });
    reader.await.unwrap();
    let made = writer.await.unwrap();
    assert_eq!(made.len(), 20);
    for order in made {
        shop.ok("get_order", json!({"order": order})).await;
    }
}
