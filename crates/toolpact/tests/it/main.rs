//! Integration tests.

mod cases;
mod enforcement;
mod guards;
mod kit;
mod limits;
mod macros;
mod retries;
mod support;
