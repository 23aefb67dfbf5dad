//! What results look like, for those who read the contracts. Each is held to its contract when the
//! tools are registered, so none can be out of date.

use serde_json::{Value as Json, json};

pub(super) fn orders() -> Json {
    json!({
        "success": true,
        "data": [order_row()],
        "pagination": {
            "page": 1, "per_page": 20, "total": 1, "total_pages": 1, "has_next": false, "has_prev": false,
        },
    })
}

pub(super) fn updated() -> Json {
    json!({"success": true, "data": order_row()})
}

pub(super) fn cancelled() -> Json {
    let mut cancelled = updated();
    cancelled["data"]["status"] = "cancelled".into();
    cancelled["data"]["note"] = "Cancelled: ordered twice".into();
    cancelled
}

fn order_row() -> Json {
    json!({
        "order": "O-1042",
        "status": "paid",
        "customer": "C-117",
        "customer_name": "Niamh O'Brien",
        "placed_at": "2026-02-15T10:30:00Z",
        "pieces": 2,
        "total": "17.80",
        "currency": "EUR",
        "note": "",
        "version": 2,
        "archived": false,
    })
}

pub(super) fn order() -> Json {
    json!({
        "id": "O-1042",
        "type": "order",
        "attributes": {
            "status": "paid",
            "lines": [{
                "product": "TEA-001",
                "name": "Assam Breakfast, 250 g",
                "quantity": 2,
                "unit_price": "8.90",
                "price": "17.80",
            }],
            "total": "17.80",
            "currency": "EUR",
            "note": "",
            "placed_at": "2026-02-15T10:30:00Z",
            "updated_at": "2026-02-15T18:02:11Z",
            "archived": false,
            "version": 2,
        },
        "relationships": {
            "customer": {"data": {"id": "C-117", "type": "customer"}},
            "products": {"data": [{"id": "TEA-001", "type": "product"}]},
        },
    })
}

pub(super) fn created() -> Json {
    json!({"success": true, "id": "O-1042", "type": "order"})
}

pub(super) fn imported() -> Json {
    json!({
        "success": true,
        "batch_id": "import-1",
        "total": 2,
        "successful": 1,
        "failed": 1,
        "items": [
            {
                "id": "line 2",
                "success": true,
                "data": {"order": "O-1042", "total": "17.80", "currency": "EUR"},
            },
            {
                "id": "line 3",
                "success": false,
                "error": {
                    "code": "VALIDATION_FORMAT",
                    "message": "`quantity`: expected a whole number from 1 to 1000, found `two`.",
                    "details": {"column": "quantity", "line": 3},
                },
            },
        ],
    })
}

pub(super) fn products() -> Json {
    json!({
        "success": true,
        "data": [product_row()],
        "pagination": {
            "page": 1, "per_page": 20, "total": 1, "total_pages": 1, "has_next": false, "has_prev": false,
        },
    })
}

fn product_row() -> Json {
    json!({
        "sku": "TEA-001",
        "name": "Assam Breakfast, 250 g",
        "slug": "assam-breakfast-250-g",
        "category": "Tea",
        "price": "8.90",
        "currency": "EUR",
        "stock": 120,
    })
}

pub(super) fn product() -> Json {
    let mut attributes = product_row();
    attributes["stars"] = json!(4.2);
    attributes["reviews"] = json!([{
        "stars": 5,
        "text": "My favourite!",
        "customer": "C-117",
        "written_at": "2026-02-20T19:12:00Z",
    }]);
    json!({
        "id": "TEA-001",
        "type": "product",
        "attributes": attributes,
        "relationships": {"reviewers": {"data": [{"id": "C-117", "type": "customer"}]}},
    })
}

pub(super) fn customer() -> Json {
    json!({
        "id": "C-117",
        "type": "customer",
        "attributes": {
            "name": "Niamh O'Brien",
            "email": "niamh.obrien117@example.ie",
            "city": "Galway",
            "country": "Ireland",
            "since": "2023-11-04",
            "orders": 9,
            "spent": "312.40",
            "currency": "EUR",
        },
        "relationships": {"latest_orders": {"data": [{"id": "O-1042", "type": "order"}]}},
    })
}

pub(super) fn file() -> Json {
    json!({
        "success": true,
        "file": {
            "name": "orders.csv",
            "size": 14,
            "content_type": "text/csv",
            "data": "b3JkZXIsc3RhdHVzDQo=",
        },
    })
}

pub(super) fn chart() -> Json {
    // The smallest PNG there is, in the place of a chart.
    let pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAG7buVgAAAABJRU5ErkJggg==";
    json!({
        "success": true,
        "media": {
            "type": "image",
            "data": pixel,
            "format": "png",
            "dimensions": {"width": 1, "height": 1},
            "alt_text": "Bar chart of sales per month in EUR. 2026-02: 5120.35.",
        },
    })
}

pub(super) fn event() -> Json {
    json!({
        "event": "order.created",
        "id": "7",
        "data": {
            "order": "O-1042",
            "status": "open",
            "total": "17.80",
            "currency": "EUR",
            "at": "2026-02-15T10:30:00Z",
        },
    })
}

pub(super) fn running() -> Json {
    json!({
        "operation_id": "OP-3",
        "status": "running",
        "progress": {"percent": 40, "current_step": 1600, "total_steps": 4000},
        "created_at": "2026-02-15T10:30:00.000Z",
        "updated_at": "2026-02-15T10:30:00.840Z",
    })
}

pub(super) fn chunk() -> Json {
    json!({
        "chunk_id": "backup-20260215T103000Z-1",
        "sequence": 0,
        "total_chunks": 2,
        "data": "U1FMaXRlIGZvcm1hdCAzAA==",
        "is_last": false,
    })
}
