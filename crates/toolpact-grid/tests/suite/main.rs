//! The tests of tools that run in process, on tools that run elsewhere: the same files, with another [`world`]. What
//! has to be different is in [`differences`].

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]

mod differences;
#[path = "../it/kit/server.rs"]
#[allow(dead_code, reason = "other tests kill it")]
mod server;
mod world;

#[path = "../../../toolpact/tests/it/support.rs"]
mod support;

#[path = "../../../toolpact/tests/it/approvals.rs"]
mod approvals;
#[path = "../../../toolpact/tests/it/authorized.rs"]
mod authorized;
#[path = "../../../toolpact/tests/it/batches.rs"]
mod batches;
#[path = "../../../toolpact/tests/it/cases.rs"]
mod cases;
#[path = "../../../toolpact/tests/it/commands.rs"]
mod commands;
#[path = "../../../toolpact/tests/it/elicitation.rs"]
mod elicitation;
#[path = "../../../toolpact/tests/it/enforcement/mod.rs"]
mod enforcement;
#[path = "../../../toolpact/tests/it/faults/mod.rs"]
mod faults;
#[path = "../../../toolpact/tests/it/guards.rs"]
mod guards;
#[path = "../../../toolpact/tests/it/kit.rs"]
mod kit;
#[path = "../../../toolpact/tests/it/limits.rs"]
mod limits;
#[path = "../../../toolpact/tests/it/log.rs"]
mod log;
#[path = "../../../toolpact/tests/it/macros/mod.rs"]
mod macros;
#[path = "../../../toolpact/tests/it/pages.rs"]
mod pages;
#[path = "../../../toolpact/tests/it/principals.rs"]
mod principals;
#[path = "../../../toolpact/tests/it/producers.rs"]
mod producers;
#[path = "../../../toolpact/tests/it/registries.rs"]
mod registries;
#[path = "../../../toolpact/tests/it/repairs.rs"]
mod repairs;
#[path = "../../../toolpact/tests/it/result_memory.rs"]
mod result_memory;
#[path = "../../../toolpact/tests/it/retries.rs"]
mod retries;
#[path = "../../../toolpact/tests/it/sessions.rs"]
mod sessions;
#[path = "../../../toolpact/tests/it/spans.rs"]
mod spans;
#[path = "../../../toolpact/tests/it/streaming.rs"]
mod streaming;
#[path = "../../../toolpact/tests/it/timeouts.rs"]
mod timeouts;
#[path = "../../../toolpact/tests/it/toolsets.rs"]
mod toolsets;
#[path = "../../../toolpact/tests/it/unread_updates.rs"]
mod unread_updates;
#[path = "../../../toolpact/tests/it/views.rs"]
mod views;

#[path = "../../../toolpact-plan/tests/it/sessions.rs"]
mod plans;
