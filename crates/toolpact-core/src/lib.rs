//! Typed, enforced, portable contracts for the tools that AI agents call.
//!
//! This crate describes and checks; it never executes, and it does no input or output.
//!
//! - [`json`] reads strict JSON and YAML into flat, exact values.
//! - [`model`] holds the ALTAR Data Model: [`ToolDocument`](model::ToolDocument),
//!   [`FunctionDeclaration`](model::FunctionDeclaration), [`Schema`](model::Schema),
//!   [`FunctionCall`](model::FunctionCall) and [`ToolResult`](model::ToolResult). A value of one
//!   of these types is valid, because there is no way to make one that is not.
//! - [`contract`] holds the contract document: everything promised about a tool, on both sides.
//! - [`lock`] holds contracts that were agreed on, and says what is another now.
//! - [`document`] detects the kind of a document and reads it.
//! - [`toolset`] checks calls and results against tools of every kind of document.
//! - [`infer`] makes schemas and contracts of values, calls and results.
//! - [`diff`] says what changed between two contracts, for whom, and what it breaks.
//! - [`sample`] makes values that a contract accepts.
//! - [`lint`] looks for what a definition tries to do to a model.
//! - [`stubs`] writes contracts as declarations, for code that calls tools.
//! - [`violation`] is the table of every rule. A broken one is a [`Violation`]: what, where, what was
//!   expected and found, and what to write instead. All of them are returned at once.
//! - [`error`] is for programs: [`Error`] has a kind, a place and a source.
//!
//! # A tool, a call, and what is wrong with it
//!
//! ```
//! use toolpact_core::model::{FunctionCall, ToolDocument};
//!
//! let tool = ToolDocument::from_json(r#"{
//!     "function_declarations": [{
//!         "name": "get_weather",
//!         "description": "Returns the forecast for a city.",
//!         "parameters": {
//!             "type": "OBJECT",
//!             "properties": {"city": {"type": "STRING"}, "days": {"type": "INTEGER"}},
//!             "required": ["city"]
//!         }
//!     }]
//! }"#)?;
//!
//! let good = FunctionCall::from_json(r#"{"name": "get_weather", "args": {"city": "Oslo", "days": 3.0}}"#)?;
//! let checked = tool.check_call(&good)?;
//! assert_eq!(checked.args().text(), r#"{"city": "Oslo", "days": 3}"#); // the tool gets an integer
//!
//! let bad = FunctionCall::from_json(r#"{"name": "get_weather", "args": {"cty": "Oslo", "days": "3"}}"#)?;
//! let violations = tool.check_call(&bad).unwrap_err();
//! assert_eq!(
//!     violations.to_string(),
//!     "error[value-missing-key] at /args: expected the required key `city`, found none\n\
//!      error[value-unknown-key] at /args/cty: expected one of the keys `city` and `days`, found `cty`; \
//!      did you mean `city`?\n\
//!      error[value-type] at /args/days: expected INTEGER, found the string \"3\""
//! );
//! # Ok::<(), toolpact_core::Violations>(())
//! ```

pub mod adl;
pub mod check;
pub mod contract;
pub mod dialect;
pub mod diff;
pub mod document;
pub mod error;
pub mod infer;
pub mod json;
pub mod lint;
pub mod lock;
pub mod memory;
pub mod model;
mod principal;
pub mod repair;
pub mod returns;
pub mod sample;
pub mod schema;
pub mod stubs;
mod text;
pub mod toolset;
pub mod trace;
pub mod violation;

pub use error::Error;
pub use principal::{ANONYMOUS, Principal};
pub use trace::TraceContext;
pub use violation::{Pointer, Severity, Violation, Violations};
