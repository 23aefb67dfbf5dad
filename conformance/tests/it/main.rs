//! toolpact held against suites that others wrote.

#![allow(clippy::unwrap_used, reason = "in a test it is a failure")]

mod bundle;
mod coverage;
mod decisions;
mod exports;
#[cfg(unix)]
mod first_hour;
mod infer;
mod json_test_suite;
mod json_verdicts;
mod judges;
#[cfg(unix)]
mod lying_upstreams;
mod mcp_cli;
#[cfg(unix)]
mod mcp_passed;
mod mcp_served;
mod mcp_server;
mod mcp_tools;
mod mcp_upstreams;
mod oauth;
mod public;
mod sarif;
mod sarif_validator;
mod schema_suite;
mod sse_client;
mod stubs;
#[cfg(unix)]
mod telemetry;
mod toolpact;
