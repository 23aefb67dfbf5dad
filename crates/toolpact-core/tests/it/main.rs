//! The integration tests of the core.

mod adl;
mod catalogue;
mod meaning;
mod migrate;
