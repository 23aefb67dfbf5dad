//! Errors that do not become a `ToolError`.

#![allow(unused)]

use toolpact::tool;

struct Failed;

/// Fails with what is no error.
#[tool]
fn fails() -> Result<(), Failed> {
    Err(Failed)
}

/// Fails with text.
#[tool]
async fn says() -> Result<u32, String> {
    Err("no".to_owned())
}

struct Shop;

impl Shop {
    /// Fails with what is no error.
    #[tool]
    async fn method(&self) -> Result<u32, Failed> {
        Err(Failed)
    }
}

fn main() {}
