//! Functions that cannot be tools.

#![allow(unused)]

use std::sync::Arc;

use toolpact::tool;

/// Leaves a type open.
#[tool]
fn generic<T>(value: T) {}

/// Leaves a lifetime open.
#[tool]
fn lifetime<'a>(value: &'a str) {}

/// Asks for a promise.
#[tool]
unsafe fn dangerous() {}

struct Shop;

impl Shop {
    /// Changes its owner.
    #[tool]
    fn change(&mut self) {}

    /// Consumes its owner.
    #[tool]
    fn consume(self) {}

    /// Shares its owner.
    #[tool]
    fn share(self: Arc<Self>) {}
}

fn main() {}
