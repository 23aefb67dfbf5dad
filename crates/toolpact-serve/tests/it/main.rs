//! A real server and a real client.

#![expect(clippy::unwrap_used, reason = "in a test it is a failure")]

#[cfg(feature = "policy")]
mod approvals;
mod authorizations;
#[cfg(unix)]
mod call_settings;
mod chains;
mod configs;
mod documents;
mod endless_answers;
mod executors;
mod guards;
#[cfg(unix)]
mod home;
mod hostile;
mod life;
mod lock;
mod long_lists;
#[cfg(target_os = "linux")]
mod memory;
mod mocks;
mod names;
mod oauth;
mod operations;
mod page;
mod plans;
#[cfg(feature = "policy")]
mod policies;
mod principals;
mod resuming;
mod routes;
mod rust_tools;
#[cfg(feature = "policy")]
mod scopes_and_policies;
#[path = "../../../toolpact-mcp/tests/it/scripted.rs"]
#[allow(dead_code, reason = "its tests use more of it")]
mod scripted;
mod shares;
mod support;
mod tls;
mod views;
