//! Types of results that lack something.

#![allow(unused)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::returns::ListResult;
use toolpact::{ToolError, tool};

#[derive(Serialize, Deserialize)]
struct NotDescribed {
    a: u32,
}

/// Returns a type without a schema.
#[tool]
fn not_described() -> NotDescribed {
    NotDescribed { a: 5 }
}

/// Returns several of a type without a schema.
#[tool]
async fn items() -> Result<ListResult<NotDescribed>, ToolError> {
    Ok(ListResult::success(Vec::new()))
}

#[derive(Deserialize, JsonSchema)]
struct NotWritten {
    a: u32,
}

struct Shop;

impl Shop {
    /// Returns a type that cannot be written.
    #[tool]
    fn not_written(&self) -> NotWritten {
        NotWritten { a: 5 }
    }
}

/// Returns what is not the natural value of what it promises.
#[tool(returns = ListResult)]
fn not_natural() -> String {
    String::new()
}

/// Returns what is not the natural value of what it promises.
#[tool(returns = toolpact::returns::NumberValue)]
async fn not_a_number() -> Result<String, ToolError> {
    Ok(String::new())
}

fn main() {}
