//! ADL: agent definitions, 1.0 to 3, with their tools.
//!
//! An agent document is kept as it was written; what is read from it are its tools.

mod agent;
mod migrate;
mod parameters;
mod tool;
mod version;

pub use agent::AgentDocument;
pub(crate) use agent::json_schema;
pub use migrate::{Change, Migration, Undecided, migrate};
pub(crate) use parameters::SHARED;
pub use tool::AdlTool;
pub use version::AdlVersion;
pub(crate) use version::CAPABILITIES;
