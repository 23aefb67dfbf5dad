//! Integration tests.

mod enforcement;
mod macros;
mod support;
