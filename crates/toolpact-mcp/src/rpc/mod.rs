//! JSON-RPC 2.0, as far as MCP uses it: messages are read once, and written as JSON.

mod error;
mod id;
mod message;
mod write;

pub use error::{ErrorCode, RpcError};
pub(crate) use id::Id;
pub(crate) use message::{Kind, Message, Method};
pub(crate) use write::{Response, notification, request};
