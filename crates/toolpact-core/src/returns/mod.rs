//! What tools return: the ADL 1.5 return type system.
//!
//! - [`StandardType`] is the catalogue of the fourteen standard types.
//! - [`Returns`] is the promise about results, and [`Enforcer`] holds them to it.
//! - [`ReturnType`] is the document form of the promise.

mod content_type;
mod failure;
mod level;
pub(crate) mod meaning;
mod promise;
mod refine;
mod return_type;
mod standard;
mod type_word;

pub use level::Level;
pub use promise::{Enforcer, Returns};
pub use return_type::ReturnType;
pub(crate) use return_type::{not_a_promise, read_in_contract, read_schema_alone};
pub use standard::{Category, StandardType};
