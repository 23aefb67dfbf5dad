//! The integration tests of the core.

mod catalogue;
mod meaning;
