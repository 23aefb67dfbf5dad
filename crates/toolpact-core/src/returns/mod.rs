//! What tools return: the ADL 1.5 return type system.
//!
//! - [`StandardType`] is the catalogue of the fourteen standard types.
//! - [`choose`] finds the one that fits.
//! - [`types`] are the fourteen as Rust types.
//! - [`StandardError`] is how they say that something failed, and [`ErrorKind`] the table of what
//!   that means.

pub mod choose;
mod error;
mod members;
mod standard;
pub mod types;

pub use error::{ErrorCategory, ErrorKind, Retry, StandardError};
pub use standard::{Category, StandardType};
