//! Tools on other machines, under the same contract.
//!
//! - A [`Host`] owns contracts. Its tools are [`Definition`](toolpact::Definition)s like any others: sessions, guards, limits,
//!   views and logs work on them unchanged.
//! - A [`Runtime`] runs the tools of a [`Registry`](toolpact::Registry) that fulfil contracts of the host.
//!
//! Both are clients of a NATS server. The messages between them are described in `docs/grid-protocol.md`, so that a
//! runtime can be written in any language.
//!
//! ```no_run
//! use toolpact::returns::NumberValue;
//! use toolpact::{Registry, tool};
//! use toolpact_grid::{Host, Runtime};
//!
//! /// Adds two numbers.
//! #[tool(read_only)]
//! async fn add(a: i64, b: i64) -> NumberValue {
//!     NumberValue::success(a + b)
//! }
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! // On one machine:
//! let registry = Registry::new();
//! registry.add(add::tool())?;
//! let contracts: Vec<_> = registry.list().iter().map(|tool| tool.contract().clone()).collect();
//! let client = toolpact_grid::connect("nats://127.0.0.1:4222").await?;
//! let runtime = Runtime::builder(client).capacity(64).join(&registry).await?;
//!
//! // On another:
//! let client = toolpact_grid::connect("nats://127.0.0.1:4222").await?;
//! let host = Host::builder(client).open(contracts).await?;
//! let registry = Registry::new();
//! registry.add_all(host.definitions())?;
//! # Ok(())
//! # }
//! ```

mod admission;
mod batch;
mod breaker;
mod clock;
mod connect;
mod contracts;
mod durable;
mod error;
mod headers;
mod host;
mod identity;
mod key_file;
mod operator;
mod parts;
mod presence;
mod questions;
mod received;
mod reconnects;
mod registration;
mod remote_tool;
mod replicas;
mod runtime;
mod subject;
mod wire;

pub use admission::{Admission, AdmissionStatus, RefusalReason, RefusedTool};
pub use async_nats;
pub use connect::{Role, Servers, connect, connect_with, user_key};
pub use contracts::{Difference, Manifest};
pub use durable::{Durable, DurableCalls};
pub use error::Error;
pub use host::{
    CallFigures, Host, HostBuilder, HostPresence, HostReport, Operation, RuntimeStatus,
};
pub use identity::{HostKey, HostKeys};
pub use operator::{GridStatus, Operator};
pub use presence::Presence;
pub use registration::Mode;
pub use runtime::{Runtime, RuntimeBuilder};
pub use subject::Id;
