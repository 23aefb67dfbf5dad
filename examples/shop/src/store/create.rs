//! Taking orders.

use rusqlite::{Connection, OptionalExtension as _, params};
use toolpact::ToolError;
use toolpact::core::returns::ErrorKind;

use super::products::Offer;
use super::{customers, events, products, words};
use crate::values::{Cents, CustomerId, OrderId, Sku, Status, now};

/// An order that is to be taken.
pub(crate) struct NewOrder<'a> {
    pub(crate) customer: CustomerId,
    pub(crate) lines: Vec<(&'a Sku, u32)>,
    pub(crate) note: &'a str,
    pub(crate) reference: Option<&'a str>,
}

/// Takes an order: the goods are set aside, and nothing is done if any of them is missing.
pub(crate) fn create(to: &Connection, order: &NewOrder<'_>) -> Result<(OrderId, Cents), ToolError> {
    customers::require(to, order.customer)?;
    refuse_duplicate(to, order.reference)?;
    let mut offers: Vec<(Offer, i64)> = Vec::with_capacity(order.lines.len());
    let mut total = Cents(0);
    for (sku, quantity) in &order.lines {
        let quantity = i64::from(*quantity);
        let offer = take(to, sku, quantity)?;
        if offers.iter().any(|(other, _)| other.id == offer.id) {
            return Err(ToolError::invalid(format!(
                "{sku} is there twice. Give each product once, with the quantity of all."
            )));
        }
        let price = offer.price.times(quantity);
        let sum = price.and_then(|price| total.0.checked_add(price.0));
        total = Cents(sum.ok_or_else(|| ToolError::invalid("The order is too large."))?);
        offers.push((offer, quantity));
    }
    let id = insert(to, order, total)?;
    let mut line = to.prepare_cached("INSERT INTO order_lines VALUES (?, ?, ?, ?, ?)")?;
    for (position, (offer, quantity)) in (1i64..).zip(&offers) {
        line.execute((id, position, offer.id, quantity, offer.price))?;
    }
    words::write(to, id.0, id.0)?;
    events::add(to, id, "order.created")?;
    Ok((id, total))
}

/// Sets goods aside.
fn take(to: &Connection, sku: &Sku, quantity: i64) -> Result<Offer, ToolError> {
    let offer = products::offer(to, sku)?;
    if offer.stock < quantity {
        let stock = offer.stock;
        return Err(ToolError::business_rule(format!(
            "There are {stock} pieces of {sku} in stock, {quantity} were ordered. Order fewer."
        ))
        .with_detail("product", sku.as_str())
        .with_detail("stock", stock));
    }
    to.prepare_cached("UPDATE products SET stock = stock - ? WHERE id = ?")?
        .execute((quantity, offer.id))?;
    Ok(offer)
}

fn insert(to: &Connection, order: &NewOrder<'_>, total: Cents) -> Result<OrderId, ToolError> {
    let now = now();
    to.prepare_cached(
        "INSERT INTO orders (customer_id, status, reference, note, total_cents, placed_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![
        order.customer,
        Status::Open,
        order.reference,
        order.note,
        total,
        now,
        now,
    ])?;
    Ok(OrderId(to.last_insert_rowid()))
}

/// A reference is the caller's own name for an order: with it, an order that is sent twice is taken
/// once.
fn refuse_duplicate(from: &Connection, reference: Option<&str>) -> Result<(), ToolError> {
    let Some(reference) = reference else {
        return Ok(());
    };
    let taken: Option<OrderId> = from
        .prepare_cached("SELECT id FROM orders WHERE reference = ?")?
        .query_row([reference], |row| row.get(0))
        .optional()?;
    match taken {
        None => Ok(()),
        Some(order) => Err(ToolError::new(
            ErrorKind::Duplicate,
            format!("There is an order with this reference already: {order}."),
        )
        .with_detail("order", order.to_string())),
    }
}
