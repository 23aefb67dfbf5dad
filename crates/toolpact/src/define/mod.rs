//! Definitions: a contract and a body, ready to be registered.

mod body;
mod closure;
mod command;
mod command_words;
mod definition;
mod tool_fn;
mod untyped_output;

pub(crate) use body::{Body, Work};
pub use definition::{Definition, IntoDefinition};
pub use tool_fn::{ToolFn, tool_fn};
pub use untyped_output::UntypedOutput;
