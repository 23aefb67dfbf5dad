//! Plans on sessions of the runtime.

#![expect(
    clippy::unwrap_used,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]

mod sessions;
#[path = "../../../toolpact/tests/it/world.rs"]
mod world;
