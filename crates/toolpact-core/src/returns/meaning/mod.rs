//! What the specification requires in prose but not in its schemas.
//!
//! A rule here looks only at members that have the type the schema gives them, and is silent where
//! the schema already reports, so that one mistake is one violation.
//!
//! - Rules about one value are a table in the catalogue ([`ValueRules`]).
//! - Rules that compare values are one struct for each family of types, with [`Facts::broken`].

mod base64;
mod batch;
mod broken;
pub(crate) mod checksum;
mod chunk;
mod content;
mod envelope;
mod error;
pub(crate) mod formats;
mod instant;
mod list;
mod numbers;
mod observed;
mod operation;
mod values;

pub(crate) use batch::Batch;
pub(crate) use broken::{Broken, Facts, Found, Problem};
pub(crate) use chunk::Chunk;
pub(crate) use content::Media;
pub(crate) use envelope::Envelope;
pub(crate) use list::Page;
pub(crate) use observed::{Observed, Role};
pub(crate) use operation::Operation;
pub(crate) use values::{ValueRule, ValueRules, supplement};

use super::StandardType;
use crate::json::Node;
use crate::json::report::Report;

/// Groups of types whose values are compared in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Only the envelope is compared.
    None,
    Page,
    Batch,
    Operation,
    File,
    Media,
    Chunk,
}

/// Checks the meaning of a value, not its shape.
pub(crate) fn check(standard: StandardType, value: Node<'_>, report: &mut Report) {
    envelope::check(standard, value, report);
    error::check(value.get("error"), report);
    values::check(standard.value_rules(), value, report);
    match standard.family() {
        Family::None => {}
        Family::Page => Page::of(value).explain(value, report),
        Family::Batch => batch::check(value, report),
        Family::Operation => Operation::of(value).explain(value, report),
        Family::File => content::check_file(value, report),
        Family::Media => content::check_media(value, report),
        Family::Chunk => chunk::check(value, report),
    }
}
