//! Prints the contracts of all tools as one document, for `toolpact check` and the other commands.
//!
//! `cargo run -p toolpact-shop --example contracts > shop.json && toolpact check shop.json`

#![expect(clippy::print_stdout, reason = "that is what it is for")]

use std::error::Error;

use toolpact_shop::Shop;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let tools = Shop::options().orders(1).open(dir.path())?.tools()?;
    let contracts: Vec<String> = tools.iter().map(|tool| tool.contract().to_json()).collect();
    println!(r#"{{"toolpact": 1, "tools": [{}]}}"#, contracts.join(", "));
    Ok(())
}
