//! Tests of the library from outside: verdicts, examples, oracles, places and sizes.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]

mod adl;
mod canonical;
mod catalogue;
mod detection;
mod dialects;
mod differential;
mod exports;
mod fixes;
mod generate;
mod hostile;
mod large_integers;
mod meaning;
mod messages;
mod migrate;
mod openapi;
mod oracle;
mod positions;
mod promises;
mod real_tools;
mod repair;
mod rules;
mod sample;
mod scale;
mod spec_examples;
mod strict;
mod structures;
mod stubs;
mod toolset;
mod verdicts;
mod written;
