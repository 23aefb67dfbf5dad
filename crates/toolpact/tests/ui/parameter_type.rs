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

struct Shop;

impl Shop {
    /// Takes a type with no traits.
    #[tool]
    fn method(&self, first: u32, value: &Nothing) {}
}

#[derive(Deserialize, JsonSchema)]
struct NotWritten {
    a: u32,
}

/// Takes a type that cannot be written.
#[tool]
fn not_written(value: NotWritten) {}

/// Such a tool has to be called with JSON.
async fn run(session: toolpact::Session) {
    let value = NotWritten { a: 5 };
    session.run(not_written { value }).await.unwrap();
}

/// A type is told what it lacks, where its tool is registered as well.
fn register(registry: toolpact::Registry) {
    registry.add(nothing::tool()).unwrap();
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
