//! Functions that cannot write the text of a result.

#![allow(unused)]

use toolpact::returns::{NumberValue, StringValue};
use toolpact::tool;

fn takes_a_value(value: NumberValue) -> String {
    String::new()
}

fn takes_another(value: &StringValue) -> String {
    String::new()
}

fn returns_nothing(value: &NumberValue) {}

/// Writes what it may not keep.
#[tool(text = takes_a_value)]
fn by_value() -> NumberValue {
    NumberValue::success(5)
}

/// Writes something else.
#[tool(text = takes_another)]
fn another() -> NumberValue {
    NumberValue::success(5)
}

/// Writes nothing.
#[tool(text = returns_nothing)]
async fn nothing() -> NumberValue {
    NumberValue::success(5)
}

/// Names a function that there is not.
#[tool(text = missing)]
fn misses() -> NumberValue {
    NumberValue::success(5)
}

fn main() {}
