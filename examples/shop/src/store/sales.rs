//! Sums.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _};
use toolpact::ToolError;

use super::filter::{OrderFilter, matching};
use crate::values::{Cents, Month};

/// What orders cost together. Those that were cancelled cost nothing.
pub(crate) fn sum(from: &Connection, filter: &OrderFilter) -> Result<Cents, ToolError> {
    let sql = concat!(
        "SELECT coalesce(sum(o.total_cents), 0) FROM orders o WHERE o.status <> 'cancelled' AND ",
        matching!()
    );
    let bound = filter.bind()?;
    let mut statement = from.prepare_cached(sql)?;
    Ok(statement.query_row(&*bound.params([]), |row| row.get(0))?)
}

/// What was sold in each of these months.
pub(crate) fn by_month(
    from: &Connection,
    months: &[Month],
) -> Result<Vec<(Month, Cents)>, ToolError> {
    let mut statement = from.prepare_cached(
        "SELECT substr(placed_at, 1, 7), sum(total_cents) FROM orders
         WHERE status <> 'cancelled' GROUP BY 1",
    )?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let sums: HashMap<String, Cents> = rows.collect::<Result<_, _>>()?;
    let sum = |month: &Month| sums.get(&month.to_string()).copied().unwrap_or_default();
    Ok(months.iter().map(|month| (*month, sum(month))).collect())
}

/// The month of the newest order.
pub(crate) fn last_month(from: &Connection) -> Result<Option<Month>, ToolError> {
    let sql = "SELECT substr(max(placed_at), 1, 7) FROM orders HAVING count(*) > 0";
    let month: Option<String> = from.query_row(sql, (), |row| row.get(0)).optional()?;
    Ok(month.map(|month| month.parse()).transpose()?)
}
