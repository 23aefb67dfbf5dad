//! Values against schemas.

mod json_schema;
mod value;

pub use json_schema::Checker;
pub(crate) use json_schema::{explain, locate};
pub(crate) use value::{Arguments, check_arguments};
