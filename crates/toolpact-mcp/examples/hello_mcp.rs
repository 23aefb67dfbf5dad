//! A tool, served over MCP on standard input and output: `cargo run -p toolpact-mcp --example hello_mcp`.

use toolpact::prelude::*;
use toolpact_mcp::Server;

/// Greets someone by name.
#[tool(read_only, returns = StringValue)]
fn greet(
    /// Who to greet.
    name: &str,
) -> String {
    format!("Hello, {name}!")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::new();
    registry.add(greet::tool())?;
    let server = Server::builder(registry).name("hello", "0.1.0").build()?;
    server
        .serve(tokio::io::stdin(), tokio::io::stdout())
        .await?;
    Ok(())
}
