//! What stands in the brackets.

#![allow(unused)]

use toolpact::tool;

/// An attribute that does not exist.
#[tool(readonly)]
fn unknown() {}

/// Attributes that almost exist.
#[tool(timeout = 500)]
fn almost() {}

/// An attribute that is far from all that exist.
#[tool(colour = "red")]
fn far() {}

/// A return type that is no type.
#[tool(returns = "ListResult")]
fn returns() {}

/// Promises something, and nothing.
#[tool(opaque, returns = StringValue)]
fn promises() -> String {
    String::new()
}

/// An attribute twice.
#[tool(read_only, read_only)]
fn twice() {}

/// A flag with a value.
#[tool(read_only = true)]
fn flag() {}

/// A timeout that is no number.
#[tool(timeout_ms = "5s")]
fn timeout() {}

/// A name that is no text.
#[tool(name = other)]
fn name() {}

/// A name that is missing.
#[tool(name)]
fn no_name() {}

/// Text that is no function.
#[tool(text = "it")]
fn text() {}

/// Two places to run at.
#[tool(inline, blocking)]
fn places() {}

/// Two ways to write text.
#[tool(text = write, template = "{{ value }}")]
fn texts() {}

/// An example that is no function.
#[tool(example = "3")]
fn example() {}

/// An example of anything.
#[tool(opaque, example = write)]
fn examples() -> String {
    String::new()
}

/// Contradicts itself.
#[tool(read_only, destructive)]
fn effects() {}

/// Has no time.
#[tool(timeout_ms = 0)]
fn no_time() {}

/// No comma.
#[tool(read_only idempotent)]
fn comma() {}

/// On something else.
#[tool]
struct Other;

/// In other brackets.
#[tool = "name"]
fn brackets() {}

fn main() {}
