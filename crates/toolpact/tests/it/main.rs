//! Integration tests.

mod cases;
mod enforcement;
mod macros;
mod support;
