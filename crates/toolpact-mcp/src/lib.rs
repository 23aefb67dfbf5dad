//! Tools under contract over the Model Context Protocol.

mod error;
pub mod http;
mod server;
mod version;
mod view;

pub use error::ServeError;
pub use server::{Server, ServerBuilder};
pub use view::View;
