//! Changing orders.

use rusqlite::{Connection, params};
use toolpact::ToolError;

use super::orders::OrderRow;
use super::{events, orders, words};
use crate::values::{OrderId, Status, now};

/// What is to be changed.
pub(crate) struct Change<'a> {
    pub(crate) status: Option<Status>,
    pub(crate) note: Option<&'a str>,
}

/// Changes an order, if it is still the one that the caller has seen.
pub(crate) fn update(
    to: &Connection,
    order: OrderId,
    version: u32,
    change: &Change<'_>,
) -> Result<OrderRow, ToolError> {
    let (found, _) = orders::get(to, order)?;
    refuse_stale(&found, version)?;
    refuse_archived(&found)?;
    let status = change.status.unwrap_or(found.status);
    if status != found.status {
        refuse_leap(order, found.status, status)?;
        if status == Status::Cancelled {
            put_back(to, order)?;
        }
    }
    to.prepare_cached(
        "UPDATE orders SET status = ?, note = ?, updated_at = ?, version = version + 1 WHERE id = ?",
    )?
    .execute(params![status, change.note.unwrap_or(&found.note), now(), order])?;
    words::write(to, order.0, order.0)?;
    events::add(to, order, "order.updated")?;
    orders::get(to, order).map(|(row, _)| row)
}

/// An order that can be cancelled, or why it cannot be.
pub(crate) fn cancellable(from: &Connection, order: OrderId) -> Result<OrderRow, ToolError> {
    let (found, _) = orders::get(from, order)?;
    refuse_archived(&found)?;
    refuse_leap(order, found.status, Status::Cancelled)?;
    Ok(found)
}

/// The note of an order that is cancelled: the one it had, and the reason.
pub(crate) fn note_of_cancellation(note: &str, reason: &str) -> String {
    let why = match reason.trim() {
        "" => "Cancelled.".to_owned(),
        reason => format!("Cancelled: {reason}"),
    };
    match note {
        "" => why,
        note => format!("{note} | {why}"),
    }
}

/// Puts an order away. Doing it again changes nothing.
pub(crate) fn archive(to: &Connection, order: OrderId) -> Result<(), ToolError> {
    let (found, _) = orders::get(to, order)?;
    if found.archived {
        return Ok(());
    }
    if !found.status.is_final() {
        let status = found.status.as_str();
        return Err(ToolError::business_rule(format!(
            "{order} is {status}. Only orders that are delivered or cancelled can be archived."
        ))
        .with_detail("status", status));
    }
    let now = now();
    to.prepare_cached(
        "UPDATE orders SET archived_at = ?, updated_at = ?, version = version + 1 WHERE id = ?",
    )?
    .execute(params![now, now, order])?;
    events::add(to, order, "order.archived")
}

fn refuse_archived(found: &OrderRow) -> Result<(), ToolError> {
    let order = found.order;
    match found.archived {
        false => Ok(()),
        true => Err(ToolError::business_rule(format!(
            "{order} is archived, and archived orders do not change."
        ))),
    }
}

fn refuse_stale(found: &OrderRow, version: u32) -> Result<(), ToolError> {
    if found.version == version {
        return Ok(());
    }
    let (order, now) = (found.order, found.version);
    Err(ToolError::conflict(format!(
        "{order} was changed by someone else: you have version {version}, it is at {now}. \
         Look at it with `get_order`, then try again with version {now}."
    ))
    .with_detail("version", i64::from(now)))
}

fn refuse_leap(order: OrderId, from: Status, to: Status) -> Result<(), ToolError> {
    if from.next().contains(&to) {
        return Ok(());
    }
    let next: Vec<&str> = from.next().iter().map(|status| status.as_str()).collect();
    let next = match next.is_empty() {
        true => "Nothing more can happen to it.".to_owned(),
        false => format!("It can become {}.", next.join(" or ")),
    };
    let (is, wanted) = (from.as_str(), to.as_str());
    Err(ToolError::business_rule(format!(
        "{order} is {is} and cannot become {wanted}. {next}"
    ))
    .with_detail("status", is))
}

/// The goods of an order that is cancelled can be sold again.
fn put_back(to: &Connection, order: OrderId) -> Result<(), ToolError> {
    to.prepare_cached(
        "UPDATE products SET stock = stock + l.quantity
         FROM order_lines l WHERE l.order_id = ? AND l.product_id = products.id",
    )?
    .execute([order])?;
    Ok(())
}
