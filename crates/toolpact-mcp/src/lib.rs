//! Tools under contract over the Model Context Protocol.
//!
//! - A [`Server`] serves a [`Registry`](toolpact::Registry) to MCP clients, over lines or over HTTP:
//!   arguments are checked before a tool runs, its result before a client sees it.
//! - What is no tool (prompts, resources, completions) is passed through to others, by [`Passthrough`]. The crate
//!   `toolpact-upstream` does this for other MCP servers, and makes their tools ours.
//! - [`http`] says who may ask and how much they may send.
//!
//! ```
//! use toolpact::returns::NumberValue;
//! use toolpact::{Registry, tool};
//! use toolpact_mcp::Server;
//! use toolpact_mcp::http::{Connections, Http, listen};
//!
//! /// Adds two numbers.
//! #[tool(read_only)]
//! async fn add(a: i64, b: i64) -> NumberValue {
//!     NumberValue::success(a + b)
//! }
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let registry = Registry::new();
//! registry.add(add::tool())?;
//! let server = Server::new(registry)?;
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! println!("http://{}/mcp", listener.local_addr()?);
//! tokio::spawn(listen(listener, server.http(Http::default()), Connections::default(), Default::default()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
pub mod http;
pub mod passthrough;
mod rpc;
mod server;
mod stdio;
mod version;
mod view;
mod written;

pub use error::ServeError;
pub use passthrough::Passthrough;
pub use rpc::{ErrorCode, RpcError};
#[doc(hidden)]
pub use server::ERROR;
pub use server::{Server, ServerBuilder, ServerInfo};
pub use stdio::stdio;
pub use version::Version;
pub use view::View;
#[doc(hidden)]
pub use written::written;
