//! Other MCP servers, behind ours.
//!
//! - An [`Upstream`] is another MCP server, whose tools become [`Definition`](toolpact::Definition)s.
//! - [`Upstreams`] passes the prompts and resources of several servers through to the clients of a
//!   [`Server`](toolpact_mcp::Server).
//!
//! ```
//! use toolpact::returns::NumberValue;
//! use toolpact::{Call, Registry, tool};
//! use toolpact_mcp::Server;
//! use toolpact_mcp::http::{Connections, Http, listen};
//! use toolpact_upstream::Upstream;
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

mod builder;
mod call;
mod calls;
mod child;
mod client;
mod error;
mod event_limit;
mod held_lines;
mod http;
mod link;
mod lists;
mod parked;
mod place;
mod result;
mod runtime;
mod tools;
mod trace;
mod turns;
mod upstream;
mod upstreams;

pub use builder::UpstreamBuilder;
pub use error::UpstreamError;
pub use lists::Excess;
pub use upstream::Upstream;
pub use upstreams::Upstreams;

/// The Rust of the page about MCP runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/mcp.md")]
struct Page;
