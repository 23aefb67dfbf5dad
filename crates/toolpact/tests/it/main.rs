//! Integration tests.

mod cases;
mod enforcement;
mod guards;
mod kit;
mod limits;
mod macros;
mod outputs;
mod pages;
mod producers;
mod registries;
mod repairs;
mod retries;
mod sessions;
mod streaming;
mod support;
mod timeouts;
mod toolsets;
mod views;
