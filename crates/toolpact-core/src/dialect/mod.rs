//! Converts contracts to and from the formats of providers, and reports what each cannot express.
//!
//! - [`Dialect`] is a format for tools: a provider's, a protocol's, or our own.
//! - [`Dialect::export`] writes contracts in it. What the dialect cannot express is a [`Loss`]:
//!   where, what, its effect, and what was done instead. Tools that cannot be exported are listed
//!   with the reason; the others are exported.
//! - [`Dialect::import`] and [`import`] read tools into contracts, and report what they dropped.
//! - [`Dialect::read_call`], [`Dialect::write_result`] and their inverses convert messages to and
//!   from [`ToolCall`] and [`Answer`].
//!
//! An export never weakens a contract: calls are still checked against the original contract, and
//! [`ExportedTool::read_args`] converts what the model sends to that contract's arguments.
//!
//! ```
//! use toolpact_core::contract::Contract;
//! use toolpact_core::dialect::{Dialect, Effect};
//!
//! let contract = Contract::from_json(r#"{
//!     "name": "wait",
//!     "description": "Waits for a while.",
//!     "parameters": {
//!         "type": "object",
//!         "properties": {"seconds": {"type": "integer", "multipleOf": 5}},
//!         "required": ["seconds"]
//!     }
//! }"#)?;
//!
//! let export = Dialect::Gemini.export([&contract]);
//! let tool = &export.tools()[0];
//! assert_eq!(
//!     tool.definition().text(),
//!     r#"{"name":"wait","description":"Waits for a while.","parameters":{"type":"object","properties":{"seconds":{"type":"integer","description":"A multiple of 5."}},"required":["seconds"]}}"#
//! );
//! let loss = &tool.losses()[0];
//! assert_eq!(loss.effect(), Effect::Wider);
//! assert_eq!(
//!     loss.to_string(),
//!     "loss[constraint] at /parameters/properties/seconds/multipleOf: `multipleOf`; told in the \
//!      description (the model may send what the tool refuses)"
//! );
//! # Ok::<(), toolpact_core::Violations>(())
//! ```

mod adl;
mod adm;
mod anthropic;
mod bedrock;
mod check;
mod codec;
mod contract;
mod dialects;
mod export;
mod gemini;
mod hoist;
mod import;
mod import_draft;
mod json_schema;
mod layout;
mod loss;
mod mcp;
mod message;
mod names;
mod openai;
mod openapi;
mod openapi_schema;
mod patterns;
mod pointers;
mod profile;
mod references;
mod returns;
pub(crate) mod shape;
mod spec;
mod standard;
mod step;
mod transform;
mod tree;
mod upgrade_draft;
mod walk;

pub(crate) use check::check;
pub use dialects::Dialect;
pub use export::{Export, ExportedTool, NotExported};
pub use import::{Import, ImportedTool, NotImported, import};
pub use loss::{Effect, Loss, LossKind};
pub use message::{Answer, CallId, ToolCall};
pub(crate) use message::{SplitArguments, report_nameless};
pub use openapi::{Placement, RequestPart, Route};
