//! Sources of tools: how they are built, and what keeps them running.

mod build;
mod files;
mod findings;
mod fingerprint;
mod grid;
mod install;
mod known_names;
mod load;
mod mcp;
mod programs;
mod shelf;
mod shop;
mod state;
mod supervisor;
mod task;

pub use build::check;
pub(crate) use build::contracts_of;
pub(crate) use findings::findings;
pub(crate) use install::Installed;
pub(crate) use load::served_registry;
pub use load::{Loaded, load, load_recorded};
pub use state::{Health, LeftOut, LeftOutReason, SourceState};
pub(crate) use supervisor::{PATIENCE, Supervisor};
