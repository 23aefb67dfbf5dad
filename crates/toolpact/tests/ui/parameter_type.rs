//! Types of parameters that lack something.

#![allow(unused)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::tool;

struct Nothing;

/// Takes a type with no traits.
#[tool]
fn nothing(value: Nothing) {}

#[derive(Clone, Serialize, JsonSchema)]
struct NotRead {
    a: u32,
}

/// Takes a type that cannot be read.
#[tool]
fn not_read(values: Vec<NotRead>) {}

#[derive(Clone, Serialize, Deserialize)]
struct NotDescribed {
    a: u32,
}

/// Takes a type without a schema.
#[tool]
fn not_described(value: Option<NotDescribed>) {}

#[derive(Serialize, Deserialize, JsonSchema)]
struct NotCopied {
    a: u32,
}

/// Takes a type that cannot be copied.
#[tool]
fn not_copied(first: u32, value: &NotCopied) {}

struct Shop;

impl Shop {
    /// Takes a type that cannot be copied.
    #[tool]
    fn method(&self, value: NotCopied) {}
}

mod other {
    pub struct Context;
}
use other::Context;

/// Takes a type that is called like ours.
#[tool]
fn confused(context: Context) {}

/// Has a default of another type.
#[tool]
fn default(#[tool(default = "many")] count: u32) {}

/// Has a default of a type that has none.
#[tool]
fn no_default(#[tool(default)] value: NotRead) {}

fn main() {}
