//! The tools, one file for each group. What they ask of the database is in `store`.
//!
//! Most are plain functions, which may block: each call has a thread of its own. Those that tell
//! something on the way, or wait, are `async`.

mod backups;
mod catalogue;
mod changes;
mod customers;
mod examples;
mod operations;
mod orders;
mod reports;
mod watch;
