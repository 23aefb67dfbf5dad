//! Integration tests.

mod cases;
mod enforcement;
mod guards;
mod kit;
mod limits;
mod macros;
mod registries;
mod retries;
mod sessions;
mod support;
mod timeouts;
mod toolsets;
