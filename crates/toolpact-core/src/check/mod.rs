//! Values against schemas.

mod value;

pub(crate) use value::{Arguments, check_arguments};
