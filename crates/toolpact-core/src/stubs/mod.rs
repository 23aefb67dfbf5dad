//! Declarations of contracts for code that calls tools: [`python`] and [`typescript`].
//!
//! A tool becomes a function, and the objects it takes and returns become types with names. Both
//! languages have the same five functions: the hint of a schema, the signature of parameters, the
//! name and the lines of a response, and the whole preamble, which is [`Stubs`].
//!
//! ```
//! use toolpact_core::contract::Contract;
//! use toolpact_core::stubs::python;
//!
//! let contract = Contract::from_json(r#"{
//!     "name": "ship-order",
//!     "description": "Sends an order.",
//!     "parameters": {
//!         "type": "object",
//!         "properties": {"order": {"type": "string"}, "from": {"enum": ["oslo", "rome"]}},
//!         "required": ["order"]
//!     },
//!     "returns": {
//!         "type": "object",
//!         "properties": {"parcel": {"type": "string"}, "grams": {"type": "integer"}},
//!         "required": ["parcel"]
//!     }
//! }"#)?;
//! let stubs = python::preamble([&contract]);
//! assert_eq!(stubs.text(), r#"# Tools, declared by their contracts. Made by toolpact.
//! from typing import Literal, NotRequired, TypedDict
//!
//! ToolError = RuntimeError
//! """What a tool raises that fails."""
//!
//! class ShipOrderResponse(TypedDict):
//!     parcel: str
//!     grams: NotRequired[int]
//!
//! def ship_order(order: str, from_: Literal["oslo", "rome"] | None = None) -> ShipOrderResponse:
//!     """Sends an order.
//!
//!     Args:
//!         from_: It is sent as `from`.
//!     """
//!     ...
//! "#);
//!
//! // What a script calls leads back to what the contract calls it.
//! let tool = stubs.tool("ship_order").unwrap();
//! assert_eq!(tool.name().as_str(), "ship-order");
//! assert_eq!(tool.parameter("from_").unwrap().name(), "from");
//! # Ok::<(), toolpact_core::Violations>(())
//! ```
//!
//! # What code receives
//!
//! Code receives the success value; a failure is raised as `ToolError`. [`success_value`] extracts
//! the declared value from a result:
//!
//! | return type | what code receives |
//! |---|---|
//! | `StringValue`, `NumberValue`, `BooleanValue` | the `value`, wrapped or bare |
//! | `IdentifierValue` | the `id` |
//! | `ObjectResult` | its `data` |
//! | `FileResult`, `MediaResult` | the `file`, the `media` |
//! | `ListResult` | an object with `data` and `pagination`, without `success` and `error` |
//! | `VoidResult` | nothing: `None`, `void` |
//! | `EntityResult`, `EventStream`, `ChunkedData` | all of it: there is no envelope |
//! | `OperationStatus`, `BatchResult` | all of it: the operation or items failed, not the call |
//! | a schema | the value |
//! | `opaque` | the text |
//! | nothing | anything |
//!
//! A refinement of a standard type narrows the same parts.
//!
//! Where a result has more than that, a second function returns the whole of it: `measure_result()`
//! has the `unit` of the number that `measure()` returns. These are the types with `unit`
//! (`NumberValue`), `type` (`IdentifierValue`), `metadata` (`ObjectResult`) and `message`
//! (`VoidResult`). [`whole_result`] makes the value.
//!
//! # Names
//!
//! A type is named after its path: the tool, `Response` for what it returns, each key, `Item` for
//! elements of arrays and `Value` for those of maps. A name that is taken gets a number. What
//! several references lead to is declared once, under its first name.
//!
//! # Limits
//!
//! What a schema says beyond types is not expressed: limits, patterns, conditions, dependent keys.
//! At most 64 combinations of alternatives are distinguished. The size of the text is linear in
//! that of the schema: what is nested more than 200 deep through references, or would be longer
//! than about eight times the schema, may be anything.

mod arguments;
mod build;
mod fields;
mod names;
mod narrowed_view;
pub mod python;
#[cfg(test)]
mod tests;
mod text;
mod tool;
mod types;
pub mod typescript;
mod unwrap;
mod values;

pub use tool::{Parameter, Signature, Stubs, ToolStub};
pub use unwrap::{success_value, whole_result};

use tool::Language;
