//! Sources of tools: how they are built, and what keeps them running.

mod build;
mod files;
mod findings;
mod fingerprint;
mod grid;
mod install;
mod known_names;
mod lint;
mod load;
mod lock;
mod lock_config;
mod mcp;
mod mock;
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
pub use lint::{Findings, check_and_lint};
pub(crate) use load::served_registry;
pub use load::{LoadError, Loaded, load, load_recorded};
pub(crate) use lock::LockKeeper;
pub use lock::{LockError, read_lock, write_lock};
pub use lock_config::{LiveSource, live_sources};
pub(crate) use shelf::Shelf;
pub use state::{Health, LeftOut, LeftOutReason, LockDifference, LockHealth, SourceState};
pub(crate) use supervisor::{PATIENCE, Supervisor};
