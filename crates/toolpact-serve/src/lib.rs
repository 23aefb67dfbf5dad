//! A server of tools under contract, made of a config.
//!
//! - [`Config`] says what is served, and to whom.
//! - The tools come from sources: a shop to try things with, files in any dialect whose tools are
//!   programs or HTTP calls, and other MCP servers. One that fails is tried again, the rest serve on.
//! - [`Service`] serves them over MCP at `/mcp` and as a REST API under `/v1`.
//!
//! ```
//! use toolpact_serve::Config;
//!
//! let config = Config::from_yaml(b"
//! sources:
//!   - shop: {}
//! ")?;
//! assert_eq!(config.listen, "127.0.0.1:7878");
//!
//! let wrong = Config::from_yaml(b"listen: 127.0.0.1:80\nsauces: []\n").unwrap_err();
//! assert!(wrong.to_string().starts_with("2:1: "), "{wrong}");
//! # Ok::<(), toolpact_serve::ConfigError>(())
//! ```

mod client;
pub mod config;
mod ending;
mod executor;
mod input;
mod reload;
mod rest;
mod server;
mod sources;
mod view;

pub use client::{Client, ClientError, Heard};
pub use config::{Config, ConfigError};
pub use server::{Service, StartError};
pub use sources::{Health, Loaded, SourceState, check, load};
pub use view::View;
