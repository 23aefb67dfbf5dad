//! Rust tools over REST and MCP, with metrics, health, stubs and a page about them:
//!
//! ```text
//! cargo run -p toolpact-serve --example rust_tools
//! curl -X POST http://127.0.0.1:7878/v1/tools/add -d '{"a": 2, "b": 3}'
//! ```

use toolpact::returns::NumberValue;
use toolpact::{Registry, tool};
use toolpact_serve::{Config, Service};

/// Adds two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> NumberValue {
    NumberValue::success(a + b)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::new();
    registry.add(add::tool())?;
    let config = Config::default();
    let listener = Service::bind(&config).await?;
    let service = Service::builder().registry(registry).config(config);
    let service = service.start().await?;
    eprintln!("http://{}", listener.local_addr()?);
    service.listen(listener).await?;
    Ok(())
}
