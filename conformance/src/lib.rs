//! The outside packages the tests need, and how a test finds one.
//!
//! The binary beside this library installs them and runs every test: `cargo test-all`.

mod cargo;
pub mod checkers;
pub mod documents;
pub mod judge;
pub mod mcp;
mod packages;
pub mod reports;
mod suite;

pub use cargo::cargo;
pub use packages::{How, Machine, PACKAGES, Package};
pub use suite::{Suite, suite};

/// Whether nothing may be left out, as `CI=true` in the environment says.
#[must_use]
pub fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}
