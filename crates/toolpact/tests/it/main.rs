//! Integration tests.

mod macros;
