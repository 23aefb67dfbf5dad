//! Tools made ready to be registered: a contract and a body.

mod body;
mod command;
mod definition;
mod dynamic;
mod error;
mod function;
mod produced;

pub(crate) use body::{Body, Work};
pub use definition::{Definition, IntoDefinition};
pub use error::DefineError;
pub use function::{ToolFn, tool_fn};
pub use produced::Produced;
