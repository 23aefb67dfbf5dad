//! What tools return: the ADL 1.5 return type system.
//!
//! - [`StandardType`] is the catalogue of the fourteen standard types.
//! - [`Returns`] is the promise about results, and [`Enforcer`] holds them to it.
//! - [`Level`] is how much of it is checked.
//! - [`ReturnType`] is the document form of the promise.

mod bundle;
pub mod choose;
mod content_type;
mod failure;
mod level;
pub(crate) mod meaning;
mod promise;
mod refine;
mod resolve;
mod return_type;
mod standard;
mod type_word;

pub use bundle::bundle;
pub use level::Level;
pub use promise::{Enforcer, Returns};
pub use return_type::ReturnType;
pub(crate) use return_type::is_legacy;
pub use standard::{Category, StandardType};
