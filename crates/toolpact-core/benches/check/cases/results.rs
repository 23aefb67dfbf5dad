//! Results of standard types.

use std::error::Error;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toolpact_core::returns::StandardType;

use super::models::results::{
    BatchResult, Failure, Item, ListResult, ObjectResult, Pagination, Processed, Product, Repeated,
};
use super::payload::decode;
use super::{Case, Subject, spoil};

/// The example of the catalogue.
pub(super) fn object() -> Result<Case, Box<dyn Error>> {
    let examples = StandardType::ObjectResult.examples();
    let example: ObjectResult = examples.first().ok_or("an example")?.deserialize()?;
    let wrong = (r#""duration_ms":45"#, r#""duration_ms":"45""#);
    case("ObjectResult", StandardType::ObjectResult, example, wrong)
}

/// One of fifty items failed.
pub(super) fn batch(count: u64) -> Result<Case, Box<dyn Error>> {
    let failed = count / 50;
    let batch = BatchResult {
        success: true,
        batch_id: "batch_abc123".to_owned(),
        total: count,
        successful: count - failed,
        failed,
        items: (0..count).map(|i| item(i, i % 50 == 49)).collect(),
        errors: vec![Repeated {
            code: "VALIDATION_ERROR".to_owned(),
            message: "Invalid email format".to_owned(),
            count: failed,
        }],
    };
    let missing = (r#","success":true"#, "");
    case(
        "BatchResult_1000",
        StandardType::BatchResult,
        batch,
        missing,
    )
}

fn item(i: u64, failed: bool) -> Item {
    let processed = Processed {
        processed_at: format!("2026-02-15T10:{:02}:{:02}Z", i / 60 % 60, i % 60),
        rows: i * 37 % 1_009,
    };
    let failure = Failure {
        code: "VALIDATION_ERROR".to_owned(),
        message: "Invalid email format".to_owned(),
    };
    Item {
        id: format!("item_{i:05}"),
        success: !failed,
        data: (!failed).then_some(processed),
        error: failed.then_some(failure),
    }
}

/// A page of products, most of them in plain ASCII.
pub(super) fn list(count: u32) -> Result<Case, Box<dyn Error>> {
    let list = ListResult {
        success: true,
        data: (0..count).map(product).collect(),
        pagination: Pagination {
            page: 1,
            per_page: count.into(),
            total: u64::from(count) * 5 - 7,
            total_pages: 5,
            has_next: true,
            has_prev: false,
        },
    };
    let wrong = (r#""total_pages":5"#, r#""total_pages":"5""#);
    case("ListResult_10000", StandardType::ListResult, list, wrong)
}

fn product(i: u32) -> Product {
    const NAMES: [&str; 7] = [
        "Wireless mouse",
        "Mechanical keyboard",
        "Monitor 27\"",
        "USB-C dock",
        "Desk lamp",
        "Café chair",
        "Notebook A5",
    ];
    const TAGS: [&str; 5] = ["office", "new", "sale", "refurbished", "eco"];
    let (name, tag) = (i as usize % NAMES.len(), i as usize % TAGS.len());
    Product {
        id: format!("prod_{i:06}"),
        name: format!("{} {}", NAMES[name], i % 100),
        price: f64::from(i * 7_919 % 100_000) / 100.0,
        in_stock: !i.is_multiple_of(3),
        tags: TAGS[tag..]
            .iter()
            .take(2)
            .map(|tag| (*tag).to_owned())
            .collect(),
        created_at: format!("2026-{:02}-{:02}T10:30:00Z", i % 12 + 1, i % 28 + 1),
    }
}

fn case<T: Serialize + DeserializeOwned + 'static>(
    name: &'static str,
    standard: StandardType,
    value: T,
    (from, to): (&str, &str),
) -> Result<Case, Box<dyn Error>> {
    let valid = serde_json::to_vec(&value)?;
    Ok(Case {
        name,
        invalid: spoil(&valid, from, to)?,
        valid,
        schema: serde_json::from_str(standard.schema_text())?,
        decode: decode::<T>,
        payload: Box::new(value),
        subject: Subject::Result(standard),
    })
}
