//! Integration tests.

mod macros;
mod ui;
