//! A server of tools under contract, made of a config, of the tools of a program, or of both.
//!
//! - [`Config`] says what is served, and to whom; [`Service::builder`] takes a
//!   [`Registry`](toolpact::Registry), too.
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

mod approvals;
mod builder;
mod client;
mod code;
pub mod config;
mod config_tools;
mod executor;
mod identity;
mod memory;
mod policy;
mod reload;
mod rest;
mod server;
mod shutdown;
mod sources;
mod start_error;
mod stdin;
mod view;
mod worker;

pub use builder::ServiceBuilder;
pub use client::{Client, ClientError, StreamedCall};
pub use config::{Config, ConfigError};
pub use policy::catalogue;
pub use server::Service;
pub use sources::{
    Findings, Health, LeftOut, LeftOutReason, LiveSource, LoadError, Loaded, LockDifference,
    LockError, LockHealth, SourceState, check, check_and_lint, live_sources, load, load_recorded,
    read_lock, write_lock,
};
pub use start_error::StartError;
pub use view::View;
pub use worker::{GridPlace, Worker};

/// The Rust of the page about servers compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/serve.md")]
struct Page;
