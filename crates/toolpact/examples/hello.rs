//! A tool, and a call of it: `cargo run -p toolpact --example hello`.

use toolpact::prelude::*;

/// Greets someone by name.
#[tool(read_only)]
async fn greet(name: String) -> StringValue {
    StringValue::success(format!("Hello, {name}!"))
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "it is a program")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::new();
    registry.add(greet::tool())?;
    let session = registry.session().open()?;

    let call = Call::from_json(r#"{"name": "greet", "args": {"name": "Ada"}}"#)?;
    println!("{}", session.call(call).await.text());
    Ok(())
}
