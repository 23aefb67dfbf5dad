use rusqlite::{Connection, OptionalExtension as _, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::ToolError;

use crate::values::{CURRENCY, Cents, CustomerId, OrderId};

/// Who buys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Customer {
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) city: String,
    pub(crate) country: String,
    /// The day of the first visit.
    #[schemars(extend("format" = "date"))]
    pub(crate) since: String,
    /// How many orders, without those that were cancelled.
    pub(crate) orders: u32,
    /// What they cost together.
    pub(crate) spent: Cents,
    pub(crate) currency: String,
}

pub(crate) fn get(from: &Connection, customer: CustomerId) -> Result<Customer, ToolError> {
    let mut statement = from.prepare_cached(
        "SELECT c.name, c.email, c.city, c.country, c.since, count(o.id), coalesce(sum(o.total_cents), 0)
         FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.status <> 'cancelled'
         WHERE c.id = ? GROUP BY c.id",
    )?;
    let found = statement.query_row([customer], Customer::read).optional()?;
    match found {
        Some(found) => Ok(found),
        None => Err(missing(from, customer)?),
    }
}

/// The customer, if there is one of that number.
pub(crate) fn require(from: &Connection, customer: CustomerId) -> Result<(), ToolError> {
    let mut statement = from.prepare_cached("SELECT 1 FROM customers WHERE id = ?")?;
    match statement.exists([customer])? {
        true => Ok(()),
        false => Err(missing(from, customer)?),
    }
}

pub(crate) fn exists(from: &Connection, email: &str) -> Result<bool, ToolError> {
    let mut statement = from.prepare_cached("SELECT 1 FROM customers WHERE email = ?")?;
    Ok(statement.exists([email.trim()])?)
}

/// The newest orders of a customer.
pub(crate) fn latest_orders(
    from: &Connection,
    customer: CustomerId,
    most: u32,
) -> Result<Vec<OrderId>, ToolError> {
    let mut statement = from.prepare_cached(
        "SELECT id FROM orders WHERE customer_id = ? ORDER BY placed_at DESC, id DESC LIMIT ?",
    )?;
    let rows = statement.query_map((customer, most), |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn missing(from: &Connection, customer: CustomerId) -> Result<ToolError, ToolError> {
    let nearest: Option<CustomerId> = from
        .prepare_cached("SELECT id FROM customers ORDER BY abs(id - ?), id LIMIT 1")?
        .query_row([customer], |row| row.get(0))
        .optional()?;
    Ok(match nearest {
        Some(nearest) => ToolError::not_found(format!(
            "There is no customer {customer}. The nearest is {nearest}."
        ))
        .with_detail("nearest", nearest.to_string()),
        None => ToolError::not_found(format!("There is no customer {customer}, nor any other.")),
    })
}

impl Customer {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            name: row.get(0)?,
            email: row.get(1)?,
            city: row.get(2)?,
            country: row.get(3)?,
            since: row.get(4)?,
            orders: row.get(5)?,
            spent: row.get(6)?,
            currency: CURRENCY.to_owned(),
        })
    }
}
