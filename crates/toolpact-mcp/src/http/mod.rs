//! MCP over HTTP: who may ask, how much they may send, and the service that answers.

mod body;
mod connections;
mod cors;
mod events;
mod get;
mod guard;
mod headers;
mod options;
mod origin;
mod post;
mod refusal;
mod service;
mod sessions;
mod stream;
mod token;

pub use connections::{Connections, listen};
pub use cors::Page;
pub use guard::Guard;
pub use options::Http;
pub use refusal::Refusal;
pub use service::{Body, HttpService};
