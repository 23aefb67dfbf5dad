//! Tools that run under contract, in process.

mod call;
mod command;
mod completed;
mod context;
mod define;
mod observe;
pub mod plan;
mod registry;
mod session;
pub mod testing;
pub mod text;
mod typed;
mod updates;
mod view;
mod workshop;

pub use call::{Approver, Call, Decision, Enforcement, Guard, Limits, Proposal, Rate, Retries};
pub use completed::Completed;
pub use context::Context;
pub use define::{DefineError, Definition, IntoDefinition, Produced, ToolFn, tool_fn};
pub use observe::{CallLog, CallRecord, JsonLines, Latency, Metrics, Redact};
pub use registry::{
    Entry, OutputError, Registry, RegistryBuilder, ToolsetHandle, TypedOutput, Version,
};
pub use session::{Batch, Page, Running, Session, SessionBuilder};
pub use toolpact_core as core;
pub use toolpact_macros::{tool, tools};
pub use typed::{About, Input, Named, Output, RunsOn, Tool, ToolError};
pub use updates::Update;

/// For what the macros write.
#[doc(hidden)]
pub mod __private {
    pub use schemars;
    pub use serde;
}
