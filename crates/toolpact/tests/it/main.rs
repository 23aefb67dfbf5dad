//! Integration tests.

mod faults;
mod macros;
