//! MCP over HTTP: who may ask, how much they may send, and the service that answers.

mod body;
mod connections;
mod cors;
mod guard;
mod hear;
mod news;
mod options;
mod origin;
mod quick;
mod refusal;
mod service;
mod stream;
mod token;

pub use connections::{Connections, listen};
pub use cors::Page;
pub use guard::Guard;
pub use options::Http;
pub use refusal::Refusal;
pub use service::{Body, HttpService};
