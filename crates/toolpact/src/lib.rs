//! Tools that run under contract, in process.

mod command;
pub mod plan;
pub mod text;

pub use toolpact_core as core;
