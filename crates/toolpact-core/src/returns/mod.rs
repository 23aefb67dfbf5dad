//! What tools return: the ADL 1.5 return type system.
//!
//! - [`StandardType`] is the catalogue of the fourteen standard types.
//! - [`Level`] is how much of what they promise is checked.

mod level;
pub(crate) mod meaning;
mod standard;

pub use level::Level;
pub use standard::{Category, StandardType};
