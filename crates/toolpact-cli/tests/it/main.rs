//! The program as its users meet it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "in a test it is a failure"
)]

#[cfg(all(unix, feature = "policy"))]
mod approvals;
#[cfg(unix)]
mod audit;
#[cfg(unix)]
mod boundaries;
#[cfg(unix)]
mod call;
#[cfg(unix)]
mod checksums;
#[cfg(unix)]
mod clients;
mod completions;
#[cfg(unix)]
mod debugging;
#[cfg(unix)]
mod diff;
#[cfg(unix)]
mod doors;
#[cfg(unix)]
mod escaping;
#[cfg(unix)]
mod examples;
mod exit_status;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod first_steps;
#[cfg(unix)]
mod fix;
#[cfg(unix)]
mod foreign;
#[cfg(unix)]
mod grid;
#[cfg(unix)]
mod infer;
#[cfg(unix)]
mod lint;
#[cfg(unix)]
mod lock;
mod matrix;
#[cfg(unix)]
mod mcp_servers;
#[cfg(target_os = "linux")]
mod memory;
mod migrate;
mod ours;
mod output;
#[cfg(unix)]
mod over_mcp;
#[cfg(unix)]
mod over_time;
mod pages;
mod place;
#[cfg(unix)]
mod plans;
mod policy;
#[cfg(unix)]
mod python;
mod readme;
mod real_tools;
#[cfg(unix)]
mod record;
mod run;
#[cfg(unix)]
mod serve;
mod size;
mod stopping;
mod stream;
#[cfg(all(unix, feature = "telemetry"))]
mod telemetry;
mod threads;
mod tls;
mod token;
mod transcripts;
#[cfg(unix)]
mod typed;
mod vectors;
#[cfg(all(unix, feature = "policy"))]
mod ways_in;
