//! Scripts that call tools: type-checked against contracts, and run in a sandbox.
//!
//! A script is Python. Before it runs, a type checker checks it against the declarations of the tools
//! that it names. While it runs, each call goes through the [`Session`](crate::Session), so that
//! arguments and results are checked as for every caller. The value of its last expression is its
//! result.
//!
//! ```python
//! import asyncio
//!
//! order = get_order("A-17")                      # a function for each tool
//! lines, customer = await asyncio.gather(        # several at the same time
//!     tool_task(list_lines, order["id"]),
//!     tool_task(get_customer, order["customer"]),
//! )
//! try:
//!     ship(order["id"])
//! except ToolError as error:                     # a tool that failed
//!     print(tool_error(error)["code"])
//! len(lines)                                     # the result
//! ```
//!
//! The interpreter is a separate program, the worker `toolpact-code`, which a [`Sandbox`] starts: a
//! process without files, without network and with little memory.

mod arguments;
mod call_tool;
mod conversation;
mod error;
mod failure;
mod hint;
mod key;
mod limits;
mod report;
mod sandbox;
mod snapshot;
mod time_budget;
mod tool_failure;
mod tools;
mod trace;
mod used_snapshots;
#[doc(hidden)]
pub mod wire;
mod worker;

pub use error::{Finding, LimitExceeded, ScriptError, TracebackLine, UncaughtException};
pub use key::SigningKey;
pub use limits::{LimitKind, ScriptLimits};
pub use report::{RunEnd, RunOptions, RunReport};
pub use sandbox::Sandbox;
pub use snapshot::Snapshot;
pub(crate) use snapshot::SnapshotFault;
pub use tool_failure::ToolFailure;
pub use tools::ScriptTools;
pub use trace::{TracedCall, TracedValue};
pub use used_snapshots::UsedSnapshots;
pub use wire::ScriptPosition;
