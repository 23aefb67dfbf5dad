//! Sources of tools: how they are built, and what keeps them running.

mod build;
mod files;
mod findings;
mod fingerprint;
mod install;
mod load;
mod mcp;
mod programs;
mod shop;
mod state;
mod supervisor;

pub use build::check;
pub(crate) use findings::findings;
pub(crate) use install::Installed;
pub(crate) use load::registry;
pub use load::{Loaded, load};
pub use state::{Health, SourceState};
pub(crate) use supervisor::Supervisor;
