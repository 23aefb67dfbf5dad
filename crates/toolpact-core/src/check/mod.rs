//! Checks values against schemas.

pub mod batch;
mod call;
mod checker;
mod fast;
mod json_schema;
mod large;
mod options;
mod text_format;
mod value;
mod written;

pub(crate) use call::{calls, covers};
pub use checker::{Checker, Uncovered};
#[cfg(test)]
pub(crate) use fast::RUNS;
pub(crate) use fast::{
    CallProgram, Note, Observer, Program, Scratch, Source, Stop, compile, is_enforced_format,
    verdict, with_scratch,
};
pub(crate) use json_schema::{explain, locate};
pub(crate) use options::options;
pub(crate) use text_format::TextFormat;
pub(crate) use value::{Arguments, check_arguments};
pub(crate) use written::written;
