//! Hosts and runtimes on a real NATS server.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]

mod admission;
mod batches;
mod calls;
mod deaths;
mod development;
mod discovery;
mod durable;
mod faults;
mod identity;
mod kit;
mod liars;
mod many_liars;
mod overload;
mod protocol;
mod python;
mod refused;
mod replicas;
mod sniffers;
mod streams;
mod tenants;
mod upgrades;
