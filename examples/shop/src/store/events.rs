//! What happened to orders.

use rusqlite::{Connection, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::ToolError;

use crate::values::{CURRENCY, Cents, OrderId, Status, now};

/// An order after something happened to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct OrderEvent {
    pub(crate) order: OrderId,
    pub(crate) status: Status,
    pub(crate) total: Cents,
    pub(crate) currency: String,
    #[schemars(extend("format" = "date-time"))]
    pub(crate) at: String,
}

/// An event with its number and its name.
pub(crate) struct Event {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) data: OrderEvent,
}

/// Notes what happened, in the transaction in which it happens.
pub(crate) fn add(to: &Connection, order: OrderId, event: &str) -> Result<(), ToolError> {
    to.prepare_cached(
        "INSERT INTO order_events (order_id, event, status, total_cents, at)
         SELECT id, ?, status, total_cents, ? FROM orders WHERE id = ?",
    )?
    .execute((event, now(), order))?;
    Ok(())
}

/// The events after this one, in the order they happened.
pub(crate) fn after(from: &Connection, last: i64, most: u32) -> Result<Vec<Event>, ToolError> {
    let mut statement = from.prepare_cached(
        "SELECT id, event, order_id, status, total_cents, at FROM order_events
         WHERE id > ? ORDER BY id LIMIT ?",
    )?;
    let rows = statement.query_map((last, most), Event::read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The number of the last event; 0 if there was none.
pub(crate) fn last(from: &Connection) -> Result<i64, ToolError> {
    let sql = "SELECT coalesce(max(id), 0) FROM order_events";
    Ok(from.query_row(sql, (), |row| row.get(0))?)
}

impl Event {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            data: OrderEvent {
                order: row.get(2)?,
                status: row.get(3)?,
                total: row.get(4)?,
                currency: CURRENCY.to_owned(),
                at: row.get(5)?,
            },
        })
    }
}
