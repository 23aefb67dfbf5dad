//! Tools that run under contract, in process.
//!
//! An ordinary function with one attribute is a tool: its arguments are checked before it runs, its
//! result before anyone sees it, and whatever it does, its caller gets one answer in time.
//!
//! ```
//! use toolpact::core::returns::types::StringValue;
//! use toolpact::{Call, Registry, tool};
//!
//! /// Greets someone by name.
//! #[tool(read_only)]
//! async fn greet(name: String) -> StringValue {
//!     StringValue::success(format!("Hello, {name}!"))
//! }
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let registry = Registry::new();
//! registry.add(greet::tool())?;
//! let session = registry.session().open()?;
//!
//! let completed = session.call(Call::from_json(r#"{"name": "greet", "args": {"name": "Ada"}}"#)?).await;
//! assert_eq!(completed.text(), "Hello, Ada!");
//! assert_eq!(completed.output(), Some(&StringValue::success("Hello, Ada!")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`#[tool]`](macro@tool), [`tool_fn`] and [`Tool`] make tools of Rust, [`Definition`] makes them
//!   of documents and of programs.
//! - A [`Registry`] has the tools of a process, a [`Session`] those of one conversation.
//! - A [`Call`] becomes a [`Completed`]: one typed value, and views of it.
//! - What goes with each of them is in its module: [`typed`], [`define`], [`registry`], [`session`],
//!   [`call`] (limits, guards, retries) and [`observe`] (counters, the log).
//! - [`ask`] is for tools that have questions: for the user of whoever called, or for a model.
//! - [`code`] runs scripts that call tools, in a sandbox.
//! - [`plan`] runs steps that depend on each other, [`text`] says what a model reads.
//! - [`core`] describes and checks: contracts, schemas, return types, rules.

pub mod call;
pub mod code;
mod command;
mod completed;
mod context;
pub mod define;
pub mod elicitation;
pub mod error;
mod executor;
pub mod observe;
pub mod registry;
pub mod session;
pub mod testing;
pub mod text;
pub mod typed;
mod updates;
mod view;

pub use call::Call;
pub use completed::Completed;
pub use context::Context;
pub use define::{Definition, tool_fn};
pub use error::Error;
pub use registry::Registry;
pub use session::Session;
pub use toolpact_core as core;
pub use toolpact_macros::{tool, tools};
pub use typed::{Tool, ToolError};

/// The programs that this process has started, and everyone they have started.
pub mod process {
    pub use crate::command::end_all;
    /// For the crates that talk to programs in other ways.
    #[doc(hidden)]
    pub use crate::command::{Group, base_environment};
}

/// For what the macros write.
#[doc(hidden)]
pub mod __private {
    pub use schemars;
    pub use serde;
}

/// The Rust of the README runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// And that of the page about running tools.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/runtime.md")]
struct Runtime;
