//! What a tool cannot return.

#![allow(unused)]

use toolpact::{ToolError, tool};

/// Returns text.
#[tool]
fn text() -> String {
    String::new()
}

/// Returns text, or fails.
#[tool]
fn text_or_error() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Returns text that it does not own.
#[tool]
fn borrowed() -> &'static str {
    ""
}

/// Says that it returns text, and does not.
#[tool(opaque)]
fn no_text() -> u32 {
    5
}

/// Says that it returns text, and returns nothing.
#[tool(opaque)]
fn nothing() {}

/// Leaves its type open.
#[tool]
fn open() -> impl Iterator<Item = u32> {
    0..5
}

/// Never returns.
#[tool]
fn never() -> ! {
    loop {}
}

/// Does not say what a success is.
#[tool]
fn unsaid() -> std::fmt::Result {
    Ok(())
}

fn main() {}
