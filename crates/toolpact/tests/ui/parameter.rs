//! Parameters that a caller could not fill.

#![allow(unused)]

use toolpact::tool;

/// Has no name for what it takes.
#[tool]
fn pattern((a, b): (u32, u32)) {}

/// Ignores what it takes.
#[tool]
fn ignored(_: u32) {}

/// Leaves a type open.
#[tool]
fn open(value: impl ToString) {}

/// Leaves a type open further in.
#[tool]
fn open_inside(values: Vec<impl ToString>) {}

/// Changes what it takes.
#[tool]
fn changes(values: &mut Vec<u32>) {}

/// Keeps what it takes.
#[tool]
fn keeps(value: &'static str) {}

/// Borrows further in.
#[tool]
fn borrows(values: Vec<&str>) {}

/// Misspells a default.
#[tool]
fn misspelled(#[tool(defaults)] value: u32) {}

/// Gives a default twice.
#[tool]
fn twice(#[tool(default)] #[tool(default = 5)] value: u32) {}

/// Depends on how it was compiled.
#[tool]
fn depends(#[cfg(unix)] value: u32) {}

/// Gives one name to two.
#[tool]
fn clash(#[serde(rename = "b")] a: u32, b: u32) {}

/// Can be anything.
#[tool]
fn anything(value: Box<dyn ToString>) {}

struct Shop;

impl Shop {
    /// Takes its like.
    #[tool]
    fn itself(&self, value: Vec<Self>) {}

    /// Has a default of its own.
    #[tool]
    fn own_default(&self, #[tool(default = Self::MOST)] value: u32) {}
}

fn main() {}
