//! Tools for AI agents that run under contract, in process.
//!
//! An ordinary function with one attribute is a tool: its arguments are checked before it runs, its
//! result before anyone sees it, and every call has exactly one result, in time.
//!
//! ```
//! use toolpact::prelude::*;
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
//! # Tools
//!
//! [`#[tool]`](macro@tool) makes a tool of a function, [`tool_fn`] of a closure, and [`Tool`] is the trait
//! that both implement: see [`typed`]. Its contract comes from the doc comments and the types, and what it
//! returns is one of the standard [`types`] or a type of your own. A [`Definition`] is a tool whose contract
//! is a document and whose body is a closure on JSON or a program: see [`define`].
//!
//! # Registries, sessions, calls
//!
//! A [`Registry`] has the tools of a process. A [`Session`] is one conversation: the tools it sees, its
//! limits, its values. A [`Call`] becomes a [`Completed`].
//!
//! ```
//! # use toolpact::prelude::*;
//! # /// Adds two numbers.
//! # #[tool(read_only)]
//! # async fn add(a: i64, b: i64) -> NumberValue { NumberValue::success(a + b) }
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let registry = Registry::new();
//! registry.add_all(tools![add])?;
//! let session = registry.session().open()?;
//!
//! // By types: the struct of the function's name goes in, the result comes out.
//! assert_eq!(session.run(add { a: 1, b: 2 }).await?, NumberValue::success(3));
//!
//! // By JSON, as a model writes it. What is wrong with it is said in full.
//! let completed = session.call(Call::from_json(r#"{"name": "add", "args": {"a": 1}}"#)?).await;
//! let error = completed.error().unwrap();
//! assert_eq!(error.code(), "VALIDATION_REQUIRED");
//! assert_eq!(error.message(), "expected the required key `b`, found none");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Results
//!
//! A [`Completed`] holds the typed output or the error, and makes views of them: JSON, ADM, ADL, and the
//! [`text`] that a model reads. A result that breaks the contract is withheld:
//! [`Enforcement`](call::Enforcement) can relax that.
//!
//! # Errors
//!
//! A [`ToolError`] is why a call failed; any error becomes one with `?`, and its text stays in the logs. An
//! [`Error`] is why a tool cannot be registered or a script not be run.
//!
//! # Limits, retries, guards
//!
//! [`CallLimits`](call::CallLimits) bound calls at once, the queue, rates, times and sizes, for each tool and
//! for each session. [`Retries`](call::Retries) repeat calls where that is safe. A
//! [`CallGuard`](call::CallGuard) allows or denies calls before they run.
//!
//! # Where tools run
//!
//! On an executor of their own, so that a tool that blocks or does not end does not hold up its caller: see
//! [`RunsOn`](typed::RunsOn). A [`Context`] tells a tool when it is cancelled, and takes its progress.
//!
//! # Questions, scripts, plans
//!
//! A tool can ask the user or the model of its caller: see [`elicitation`]. A script calls tools from a
//! sandbox: see [`code`]. Plans, steps that use each other's results, are in the crate `toolpact-plan`.
//!
//! # Watching and testing
//!
//! [`observe`] has counters, latencies, spans and the call log, [`testing`] fakes and assertions, [`mock`]
//! tools that answer from their contracts.
//!
//! # Contracts
//!
//! [`core`] describes and checks: contracts, schemas, return types, rules.

pub mod background;
mod broken_rules;
pub mod call;
pub mod code;
mod command;
mod completed;
mod context;
pub mod define;
pub mod elicitation;
pub mod error;
mod executor;
mod millis;
pub mod mock;
pub mod observe;
#[doc(hidden)]
pub mod private_files;
pub mod registry;
mod result_store;
pub mod session;
pub mod testing;
pub mod text;
pub mod typed;
mod unread_updates;
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
pub use toolpact_core::Principal;
pub use toolpact_core::returns::types as returns;
pub use toolpact_macros::{tool, tool_type, tools};
pub use typed::{Tool, ToolError};
pub use {schemars, serde};

/// What most programs with tools need: `use toolpact::prelude::*;`.
pub mod prelude {
    pub use crate::returns::{
        BatchResult, BooleanValue, ChunkedData, EntityResult, EventStream, FileResult,
        IdentifierValue, ListResult, MediaResult, NumberValue, ObjectResult, OperationStatus,
        StringValue, VoidResult,
    };
    pub use crate::{
        Call, Completed, Context, Definition, Registry, Session, Tool, ToolError, tool, tool_fn,
        tool_type, tools,
    };
}

/// The programs that this process has started, with all processes they have started.
pub mod process {
    /// For the crates that talk to programs in other ways.
    #[doc(hidden)]
    pub use crate::command::{ProcessGroup, base_environment};
    pub use crate::command::{end_all, keep_open_files};
    #[cfg(unix)]
    pub use crate::command::{watch, watch_with};
}

/// For the code that the macros generate.
#[doc(hidden)]
pub mod __private {
    pub use schemars;
    pub use serde;

    use crate::ToolError;
    use crate::typed::{Input, IntoOutput, Output};

    pub fn can_be_taken<T: Input>() {}

    pub fn can_be_returned<T: Output>() {}

    /// Makes what a function returns into what its tool promises.
    pub fn into_output<O, T: IntoOutput<O>>(value: T) -> Result<O, ToolError> {
        value.into_output()
    }
}

/// The Rust of the README runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// And that of the page about running tools.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/runtime.md")]
struct Runtime;
