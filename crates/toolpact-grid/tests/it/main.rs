//! Hosts and runtimes on a real NATS server.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]

mod admission;
mod calls;
mod deaths;
mod discovery;
mod identity;
mod kit;
mod liars;
mod many_liars;
mod protocol;
mod python;
mod refused;
mod streams;
