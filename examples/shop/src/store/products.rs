use rusqlite::{Connection, OptionalExtension as _, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::ToolError;

use super::{Slice, offset};
use crate::values::{CURRENCY, Cents, CustomerId, Sku};

/// What the shop sells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Product {
    pub(crate) sku: Sku,
    pub(crate) name: String,
    pub(crate) slug: String,
    pub(crate) category: String,
    pub(crate) price: Cents,
    pub(crate) currency: String,
    /// How many can be sent at once.
    pub(crate) stock: u32,
}

/// What is needed to sell something.
pub(crate) struct Offer {
    pub(crate) id: i64,
    pub(crate) price: Cents,
    pub(crate) stock: i64,
}

/// What somebody thinks of a product.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Review {
    /// 1 to 5.
    pub(crate) stars: u8,
    pub(crate) text: String,
    pub(crate) customer: CustomerId,
    #[schemars(extend("format" = "date-time"))]
    pub(crate) written_at: String,
}

const COLUMNS: &str = "sku, name, slug, category, price_cents, stock";

/// A page of products by name. `like` is a part of the name or of the category.
pub(crate) fn page(
    from: &Connection,
    like: Option<&str>,
    page: u32,
    per_page: u32,
) -> Result<Slice<Product>, ToolError> {
    // No sign of the text is a wildcard here, as one would be with LIKE.
    const MATCHING: &str = "?1 IS NULL OR instr(lower(name || ' ' || category), lower(?1)) > 0";
    let sql = format!(
        "SELECT {COLUMNS} FROM products WHERE {MATCHING} ORDER BY name, id LIMIT ?2 OFFSET ?3"
    );
    let mut statement = from.prepare_cached(&sql)?;
    let rows = statement.query_and_then((like, per_page, offset(page, per_page)), Product::read)?;
    let items = rows.collect::<Result<_, _>>()?;
    let sql = format!("SELECT count(*) FROM products WHERE {MATCHING}");
    let total: i64 = from.query_row(&sql, [like], |row| row.get(0))?;
    let total = u64::try_from(total)?;
    Ok(Slice { items, total })
}

pub(crate) fn get(from: &Connection, sku: &Sku) -> Result<Product, ToolError> {
    let sql = format!("SELECT {COLUMNS} FROM products WHERE sku = ?");
    let mut statement = from.prepare_cached(&sql)?;
    let mut rows = statement.query_and_then([sku.as_str()], Product::read)?;
    match rows.next() {
        Some(product) => product,
        None => Err(missing(from, sku)?),
    }
}

pub(crate) fn offer(from: &Connection, sku: &Sku) -> Result<Offer, ToolError> {
    let mut statement =
        from.prepare_cached("SELECT id, price_cents, stock FROM products WHERE sku = ?")?;
    let found = statement.query_row([sku.as_str()], |row| {
        Ok(Offer {
            id: row.get(0)?,
            price: row.get(1)?,
            stock: row.get(2)?,
        })
    });
    match found.optional()? {
        Some(offer) => Ok(offer),
        None => Err(missing(from, sku)?),
    }
}

/// The newest reviews of a product, and the mean of the stars of all of them.
pub(crate) fn reviews(
    from: &Connection,
    sku: &Sku,
    most: u32,
) -> Result<(Vec<Review>, Option<f64>), ToolError> {
    let mut statement = from.prepare_cached(
        "SELECT r.stars, r.text, r.customer_id, r.written_at
         FROM reviews r JOIN products p ON p.id = r.product_id
         WHERE p.sku = ? ORDER BY r.written_at DESC, r.id DESC LIMIT ?",
    )?;
    let rows = statement.query_map((sku.as_str(), most), Review::read)?;
    let reviews = rows.collect::<Result<_, _>>()?;
    let mean = from.query_row(
        "SELECT round(avg(r.stars), 1) FROM reviews r JOIN products p ON p.id = r.product_id
         WHERE p.sku = ?",
        [sku.as_str()],
        |row| row.get(0),
    )?;
    Ok((reviews, mean))
}

/// Whether a page has this address already.
pub(crate) fn has_slug(from: &Connection, slug: &str) -> Result<bool, ToolError> {
    let mut statement = from.prepare_cached("SELECT 1 FROM products WHERE slug = ?")?;
    Ok(statement.exists([slug])?)
}

/// There is no such product: one that is written in a similar way may be meant.
fn missing(from: &Connection, sku: &Sku) -> Result<ToolError, ToolError> {
    let mut statement = from.prepare_cached("SELECT sku FROM products ORDER BY sku")?;
    let all = statement.query_map((), |row| row.get::<_, String>(0))?;
    let all: Vec<String> = all.collect::<Result<_, _>>()?;
    let likeness = |other: &String| strsim::jaro_winkler(other, sku.as_str());
    let nearest = all
        .into_iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let message = format!("There is no product {sku}. `search_products` lists what there is.");
    Ok(match nearest {
        Some(nearest) => ToolError::not_found(format!("{message} The nearest is {nearest}."))
            .with_detail("nearest", nearest.as_str()),
        None => ToolError::not_found(message),
    })
}

impl Product {
    fn read(row: &Row<'_>) -> Result<Self, ToolError> {
        let sku: String = row.get(0)?;
        Ok(Self {
            sku: sku.parse()?,
            name: row.get(1)?,
            slug: row.get(2)?,
            category: row.get(3)?,
            price: row.get(4)?,
            currency: CURRENCY.to_owned(),
            stock: row.get(5)?,
        })
    }
}

impl Review {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            stars: row.get(0)?,
            text: row.get(1)?,
            customer: row.get(2)?,
            written_at: row.get(3)?,
        })
    }
}
