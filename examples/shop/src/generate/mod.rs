//! A shop full of things that look real. The same seed makes the same shop.

mod orders;
mod people;
mod products;
mod random;
mod reviews;

use rusqlite::Transaction;

use crate::store::words;
use orders::Orders;
use random::Random;

/// How a new shop is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) orders: u32,
}

/// Fills the empty tables.
pub(crate) fn fill(to: &Transaction<'_>, plan: Plan) -> rusqlite::Result<()> {
    let count = i64::from(plan.orders);
    // About eight orders of each customer.
    let customers = count / 8 + 20;
    let mut random = Random::new(plan.seed);
    people::write(to, &mut random, customers)?;
    let products = products::write(to, &mut random)?;
    let orders = Orders {
        products: &products,
        customers,
        count,
    };
    let made = orders.write(to, &mut random)?;
    reviews::write(to, &mut random, &made)?;
    words::write(to, 0, i64::MAX)?;
    Ok(())
}
