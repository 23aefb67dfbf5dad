//! Sources of tools: what they are made of, and who looks after them.

mod build;
mod files;
mod findings;
mod install;
mod keeper;
mod load;
mod mcp;
mod programs;
mod shop;
mod stamp;
mod state;

pub use build::check;
pub(crate) use findings::findings;
pub(crate) use keeper::Keeper;
pub(crate) use load::registry;
pub use load::{Loaded, load};
pub use state::{Health, SourceState};
