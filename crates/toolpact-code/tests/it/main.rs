//! Scripts in the sandbox, as a host sees them.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "in a test it is a failure"
)]

mod arguments;
mod bench;
mod boundaries;
mod calls;
mod command;
mod declarations;
mod failures;
mod hostile;
mod limits;
mod memory;
mod property;
#[cfg(unix)]
mod serving;
mod snapshots;
#[cfg(unix)]
mod sources;
mod together;
mod types;
mod values;
mod verdicts;
mod worker;
#[path = "../../../toolpact/tests/it/world.rs"]
mod world;
