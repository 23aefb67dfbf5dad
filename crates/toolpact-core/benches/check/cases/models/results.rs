//! The three results. Unlike arguments they may have members that nobody knows.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) message: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct ObjectResult {
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<User>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Metadata>,
}

#[derive(Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the specification says so")]
struct User {
    user_id: String,
    username: String,
    created_at: String,
}

#[derive(Serialize, Deserialize)]
struct Metadata {
    timestamp: String,
    request_id: String,
    duration_ms: i64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct BatchResult {
    pub(crate) success: bool,
    pub(crate) batch_id: String,
    pub(crate) total: u64,
    pub(crate) successful: u64,
    pub(crate) failed: u64,
    pub(crate) items: Vec<Item>,
    pub(crate) errors: Vec<Repeated>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Processed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Failure>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Processed {
    pub(crate) processed_at: String,
    pub(crate) rows: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Repeated {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) count: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct ListResult {
    pub(crate) success: bool,
    pub(crate) data: Vec<Product>,
    pub(crate) pagination: Pagination,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Product {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) price: f64,
    pub(crate) in_stock: bool,
    pub(crate) tags: Vec<String>,
    pub(crate) created_at: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Pagination {
    pub(crate) page: u64,
    pub(crate) per_page: u64,
    pub(crate) total: u64,
    pub(crate) total_pages: u64,
    pub(crate) has_next: bool,
    pub(crate) has_prev: bool,
}
