//! Scripts that call tools: checked against contracts, and run where the only way out is a tool.
//!
//! A script is Python. Before it runs, a type checker holds it to the declarations of the tools that
//! it names; while it runs, each call goes through the [`Session`](crate::Session), so that
//! arguments and results are checked as for everyone. The value of its last expression is its
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
//! The interpreter is a program of its own, `toolpact-code`, which a [`Sandbox`] starts: whatever a
//! script does, it does it to a process that has no files, no network and little memory.

mod bind;
mod clock;
mod error;
mod failure;
mod key;
mod limits;
mod make;
mod raised;
mod ran;
mod run;
mod sandbox;
mod snapshot;
mod tools;
#[doc(hidden)]
pub mod wire;
mod worker;

pub use error::{CodeError, Exceeded, Finding, Raised, TracebackLine};
pub use key::Key;
pub use limits::{Limit, Limits};
pub use raised::ToolFailure;
pub use ran::{End, Options, Ran, Record};
pub use sandbox::Sandbox;
pub use snapshot::{Snapshot, SnapshotError};
pub use tools::Tools;
pub use wire::Place;
