//! A real server and a real client.

#![expect(clippy::unwrap_used, reason = "in a test it is a failure")]

mod chains;
mod configs;
mod executors;
mod guards;
#[cfg(unix)]
mod home;
mod hostile;
mod life;
mod operations;
mod page;
mod plans;
mod resuming;
mod routes;
mod rust_tools;
mod support;
mod views;
