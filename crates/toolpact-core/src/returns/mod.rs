//! What tools return: the ADL 1.5 return type system.
//!
//! - [`StandardType`] is the catalogue of the fourteen standard types.

mod standard;
pub mod stream;

pub use standard::{Category, StandardType};
