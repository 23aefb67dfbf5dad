//! MCP over HTTP: the service that answers. Who may ask and how much they may send is for the layers of
//! `toolpact-http`.

mod events;
mod get;
mod headers;
mod kept_streams;
mod listeners;
mod options;
mod post;
mod refusal;
mod service;
mod sessions;
mod ticks;

pub use options::Http;
use refusal::Refusal;
pub use service::{Body, HttpFuture, HttpService};
pub use toolpact_http::{Connections, Guard, listen};
