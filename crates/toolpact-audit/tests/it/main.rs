//! Audits as users have them: calls of a registry, files in a directory.

#![expect(clippy::unwrap_used, reason = "in a test it is a failure")]

mod committing;
mod recording;
mod records;
mod recovering;
mod rotating;
mod support;
mod tampering;
