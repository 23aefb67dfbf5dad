//! The contract document: everything promised about tools, on both sides of a call.
//!
//! - [`ContractDocument`] is the document, JSON or YAML, and [`Contract`] one tool in it.
//! - [`Parameters`] are what goes in, [`Returns`](crate::returns::Returns) is what comes out,
//!   [`TextTemplate`] how that reads to a model, [`Effects`] what happens besides, and [`Run`] how
//!   a tool is executed.
//! - [`json_schema`] is the JSON Schema of the document, for editors.
//!
//! # Canonical form and digest
//!
//! The digest of a contract is SHA-256 of its canonical form, and covers what a caller or a model
//! can see: all but `lift` and `run`. These make no difference to it:
//!
//! - JSON or YAML, the order of fields, white space, escapes, how a number is spelled;
//! - the order of `required`, and an empty `required`, `effects` or `examples`;
//! - how a standard return type is named: by its bare name, in an object with `type` alone, in a
//!   `$ref` of any of the five spellings;
//! - whether a JSON Schema under `returns` stands alone or in an object with `type: Custom`, and
//!   the content type `application/json`, which is the default.
//!
//! The digest of a document covers its contracts whatever their order. These do make a difference,
//! although they may mean the same: an ADM schema and its equivalent in JSON Schema; a refinement
//! with and without a `$ref` to the type it refines; two JSON Schemas in different words; a
//! description or examples inside of a schema and beside it.

mod defaults;
mod document;
mod effects;
mod lift;
mod original_name;
mod parameters;
mod places;
mod returns;
mod run;
mod template;
#[cfg(test)]
mod tests;
mod timeout;
mod tool;

use std::sync::LazyLock;

use crate::returns::with_names;

pub use document::ContractDocument;
pub use effects::Effects;
pub use parameters::Parameters;
pub use run::{Command, Run};
pub use template::TextTemplate;
pub use tool::Contract;

/// The JSON Schema (2020-12) of a contract document, for editors and other languages.
///
/// It cannot say everything: that names are unique, that a template can be parsed, that a schema
/// narrows the type it refines and that examples fit, remain for `toolpact check`.
#[must_use]
pub fn json_schema() -> &'static str {
    static SCHEMA: LazyLock<String> =
        LazyLock::new(|| with_names(include_str!("contract.schema.json")));
    &SCHEMA
}
