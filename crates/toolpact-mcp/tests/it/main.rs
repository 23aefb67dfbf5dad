//! The server and its clients, from outside: messages as they are sent, and clients that mean no
//! good.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]

mod answers;
mod asking;
mod calls;
mod changes;
mod errors;
mod first_tool;
mod hostile;
mod http;
mod long_lists;
mod pages;
mod passthrough;
mod scripted;
mod support;
mod upstreams;
mod views;
