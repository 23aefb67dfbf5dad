//! Every tool of the shop, called as an agent would call it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]

mod backups;
mod catalogue;
mod changes;
mod contracts;
mod hostile;
mod imports;
mod killed;
mod opening;
mod operations;
mod orders;
mod readme;
mod reports;
mod support;
mod watching;
mod writers;
