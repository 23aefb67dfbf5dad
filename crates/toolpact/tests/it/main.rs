//! Tools that run, from outside: what macros make, what calls come to, what goes wrong.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]

mod approvals;
mod authorized;
mod batches;
mod cases;
mod commands;
mod elicitation;
mod enforcement;
mod errors;
mod faults;
mod guards;
mod held_once;
mod kept_tools;
mod kit;
mod late_work;
mod limits;
mod log;
mod macros;
mod mocks;
mod outputs;
mod pages;
mod principals;
mod producers;
mod registries;
mod repairs;
mod result_memory;
mod retries;
mod sessions;
mod settings;
mod spans;
mod streaming;
mod support;
mod timeouts;
mod toolsets;
mod ui;
mod unread_updates;
mod views;
mod world;
