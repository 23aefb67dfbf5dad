//! Tools under contract over the Model Context Protocol.

mod error;
pub mod http;
mod server;
mod upstream;
mod version;
mod view;

pub use error::ServeError;
pub use server::{Server, ServerBuilder};
pub use upstream::{Upstream, UpstreamBuilder, UpstreamError};
pub use view::View;
