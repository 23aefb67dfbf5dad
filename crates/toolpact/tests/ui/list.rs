//! Lists of tools with something else in them.

#![allow(unused)]

use toolpact::{tool, tools};

/// Does nothing.
#[tool]
fn nothing() {}

fn plain() {}

struct Shop;

impl Shop {
    /// Does nothing.
    #[tool]
    fn search(&self) {}
}

fn main() {
    let shop = Shop;
    let _ = tools![nothing()];
    let _ = tools!["nothing"];
    let _ = tools![nothing::tool()];
    let _ = tools![plain];
    let _ = tools![missing];
    let _ = tools![shop.0];
    let _ = tools![shop.search];
    let _ = tools![shop.missing];
}
