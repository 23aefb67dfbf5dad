//! The tests of scripts, with tools that run elsewhere: the same files, with the world of the tests of `toolpact-grid`.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]

mod differences;
#[path = "../../../toolpact-grid/tests/it/kit/server.rs"]
#[allow(dead_code, reason = "other tests kill it")]
mod server;
#[path = "../../../toolpact-grid/tests/suite/world.rs"]
#[allow(dead_code, reason = "other tests have more of it")]
mod world;

#[path = "../it/bench.rs"]
#[allow(dead_code, reason = "other tests have more of it")]
mod bench;

#[path = "../it/arguments.rs"]
mod arguments;
#[path = "../it/boundaries.rs"]
mod boundaries;
#[path = "../it/calls.rs"]
mod calls;
#[path = "../it/failures.rs"]
mod failures;
#[path = "../it/limits.rs"]
mod limits;
#[path = "../it/memory.rs"]
mod memory;
#[path = "../it/snapshots.rs"]
mod snapshots;
#[path = "../it/together.rs"]
mod together;
#[path = "../it/values.rs"]
mod values;
