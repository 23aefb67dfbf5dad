//! Reading orders.

use rusqlite::{Connection, OptionalExtension as _, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::ToolError;

use super::filter::{OrderFilter, matching};
use super::{Slice, offset};
use crate::values::{CURRENCY, Cents, CustomerId, OrderId, Sku, Status};

/// An order in one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct OrderRow {
    pub(crate) order: OrderId,
    pub(crate) status: Status,
    pub(crate) customer: CustomerId,
    pub(crate) customer_name: String,
    /// In UTC.
    #[schemars(extend("format" = "date-time"))]
    pub(crate) placed_at: String,
    /// How many pieces.
    pub(crate) pieces: u32,
    pub(crate) total: Cents,
    pub(crate) currency: String,
    /// What the customer had to say.
    pub(crate) note: String,
    /// Goes up with every change; `update_order` asks for it.
    pub(crate) version: u32,
    pub(crate) archived: bool,
}

/// One product of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Line {
    pub(crate) product: Sku,
    pub(crate) name: String,
    pub(crate) quantity: u32,
    pub(crate) unit_price: Cents,
    pub(crate) price: Cents,
}

const COLUMNS: &str = "o.id, o.status, o.customer_id, c.name, o.placed_at,
    (SELECT coalesce(sum(quantity), 0) FROM order_lines WHERE order_id = o.id) AS pieces,
    o.total_cents, o.version, o.archived_at IS NOT NULL, o.note, o.updated_at";

/// A page of orders, the newest first. Orders of the same second keep their places, too.
pub(crate) fn page(
    from: &Connection,
    filter: &OrderFilter,
    page: u32,
    per_page: u32,
) -> Result<Slice<OrderRow>, ToolError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM orders o JOIN customers c ON c.id = o.customer_id WHERE {}
         ORDER BY o.placed_at DESC, o.id DESC LIMIT :limit OFFSET :offset",
        matching!()
    );
    let bound = filter.bind()?;
    let (limit, offset) = (per_page, offset(page, per_page));
    let mut statement = from.prepare_cached(&sql)?;
    let rows = statement.query_map(
        &*bound.params([(":limit", &limit), (":offset", &offset)]),
        OrderRow::read,
    )?;
    Ok(Slice {
        items: rows.collect::<Result<_, _>>()?,
        total: count(from, filter)?,
    })
}

/// How many orders there are.
pub(crate) fn count(from: &Connection, filter: &OrderFilter) -> Result<u64, ToolError> {
    let sql = concat!("SELECT count(*) FROM orders o WHERE ", matching!());
    let bound = filter.bind()?;
    let mut statement = from.prepare_cached(sql)?;
    let count: i64 = statement.query_row(&*bound.params([]), |row| row.get(0))?;
    Ok(u64::try_from(count)?)
}

/// One order, and when it was last changed.
pub(crate) fn get(from: &Connection, order: OrderId) -> Result<(OrderRow, String), ToolError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id = ?"
    );
    let mut statement = from.prepare_cached(&sql)?;
    let found = statement.query_row([order], |row| Ok((OrderRow::read(row)?, row.get(10)?)));
    match found.optional()? {
        Some(found) => Ok(found),
        None => Err(missing(from, order)?),
    }
}

/// The products of an order.
pub(crate) fn lines(from: &Connection, order: OrderId) -> Result<Vec<Line>, ToolError> {
    let mut statement = from.prepare_cached(
        "SELECT p.sku, p.name, l.quantity, l.unit_cents, l.quantity * l.unit_cents
         FROM order_lines l JOIN products p ON p.id = l.product_id
         WHERE l.order_id = ? ORDER BY l.position",
    )?;
    let rows = statement.query_and_then([order], Line::read)?;
    rows.collect()
}

/// There is no such order: the nearest one may be meant.
pub(crate) fn missing(from: &Connection, order: OrderId) -> Result<ToolError, ToolError> {
    let nearest: Option<OrderId> = from
        .prepare_cached("SELECT id FROM orders ORDER BY abs(id - ?), id LIMIT 1")?
        .query_row([order], |row| row.get(0))
        .optional()?;
    Ok(match nearest {
        Some(nearest) => ToolError::not_found(format!(
            "There is no order {order}. The nearest is {nearest}; `search_orders` finds others."
        ))
        .with_detail("nearest", nearest.to_string()),
        None => ToolError::not_found(format!("There is no order {order}, nor any other.")),
    })
}

impl OrderRow {
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            order: row.get(0)?,
            status: row.get(1)?,
            customer: row.get(2)?,
            customer_name: row.get(3)?,
            placed_at: row.get(4)?,
            pieces: row.get(5)?,
            total: row.get(6)?,
            currency: CURRENCY.to_owned(),
            note: row.get(9)?,
            version: row.get(7)?,
            archived: row.get(8)?,
        })
    }
}

impl Line {
    fn read(row: &Row<'_>) -> Result<Self, ToolError> {
        let sku: String = row.get(0)?;
        Ok(Self {
            product: sku.parse()?,
            name: row.get(1)?,
            quantity: row.get(2)?,
            unit_price: row.get(3)?,
            price: row.get(4)?,
        })
    }
}
