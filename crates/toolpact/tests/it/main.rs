//! Integration tests.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]
#![expect(
    clippy::unused_async,
    clippy::needless_question_mark,
    reason = "tools of tests do nothing that would have to be waited for"
)]

mod batches;
mod cases;
mod commands;
mod enforcement;
mod faults;
mod guards;
mod kit;
mod limits;
mod log;
mod macros;
mod outputs;
mod pages;
mod plans;
mod producers;
mod registries;
mod repairs;
mod retries;
mod sessions;
mod spans;
mod streaming;
mod support;
mod timeouts;
mod toolsets;
mod views;
