//! Tools under contract over the Model Context Protocol.
//!
//! - A [`Server`] serves a [`Registry`](toolpact::Registry) to MCP clients, over lines or over HTTP:
//!   arguments are checked before a tool runs, its result before a client sees it.
//! - An [`Upstream`] is another MCP server, whose tools become [`Definition`](toolpact::Definition)s.
//! - [`http`] says who may ask and how much they may send.
//!
//! ```
//! use toolpact::returns::NumberValue;
//! use toolpact::{Call, Registry, tool};
//! use toolpact_mcp::http::{Connections, Http, listen};
//! use toolpact_mcp::{Server, Upstream};
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
//! let url = format!("http://{}/mcp", listener.local_addr()?);
//! tokio::spawn(listen(listener, server.http(Http::default()), Connections::default(), Default::default()));
//!
//! // Elsewhere, the same tool is a tool of another registry.
//! let upstream = Upstream::http(url).connect().await?;
//! let registry = Registry::new();
//! registry.add_all(upstream.definitions())?;
//! let session = registry.session().open()?;
//! let completed = session.call(Call::from_json(r#"{"name": "add", "args": {"a": 1, "b": 2}}"#)?).await;
//! assert_eq!(completed.text(), "3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
pub mod http;
mod rpc;
mod server;
mod stdio;
mod upstream;
mod version;
mod view;
mod written;

pub use error::ServeError;
pub use server::{Server, ServerBuilder, ServerInfo};
pub use stdio::stdio;
#[doc(hidden)]
pub use toolpact_http::outgoing;
pub use upstream::{Upstream, UpstreamBuilder, UpstreamError, Upstreams};
pub use view::View;
#[doc(hidden)]
pub use written::written;

/// The Rust of the page about MCP runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/mcp.md")]
struct Page;
