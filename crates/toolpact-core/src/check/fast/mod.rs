//! The fast path: a schema compiled to flat tables, and a text checked against them in one pass
//! while it is read, without building a tree.
//!
//! It gives the same verdict as the explain path, or none: unusual cases are left to that path.

#![expect(
    clippy::inline_always,
    reason = "measured: a call for each byte or value costs more than what it does"
)]

mod adm;
mod call;
mod compile;
mod delegated;
mod format;
mod literal;
mod machine;
mod names;
mod number;
mod program;
mod string;
mod window;
mod write;

pub(crate) use call::CallProgram;
pub(crate) use compile::{Source, compile};
pub(super) use format::Format;
pub(crate) use format::is_enforced_format;
#[cfg(test)]
pub(crate) use machine::RUNS;
pub(crate) use machine::{Note, Observer, Scratch, Stop, verdict, with_scratch};
pub(crate) use program::Program;
