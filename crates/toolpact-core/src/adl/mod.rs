//! ADL: agent definitions, 1.0 and 1.5, with their tools.
//!
//! An agent document is kept as it was written; what is read from it are its tools.

mod agent;
mod migrate;
mod parameters;
mod tool;

pub(crate) use agent::json_schema;
pub use agent::{AdlVersion, AgentDocument};
pub use migrate::{Change, Migration, Undecided, migrate};
pub(crate) use parameters::SHARED;
pub use tool::AdlTool;
