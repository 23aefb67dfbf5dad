//! What the specification promises in prose and its schemas do not say.
//!
//! A rule here looks only at members that have the type the schema gives them, and is silent where
//! the schema already complains, so that one mistake is one violation.

mod base64;
mod batch;
mod checksum;
mod chunk;
mod entity;
mod envelope;
mod error;
mod file;
mod formats;
mod instant;
mod list;
mod media;
mod numbers;
mod observed;
mod operation;
mod outcome;

pub(crate) use observed::{Observed, Role, supplement};

use super::StandardType;
use crate::json::Node;
use crate::violation::report::Report;

/// Checks the meaning of a value, not its shape.
pub(crate) fn check(standard: StandardType, value: Node<'_>, report: &mut Report) {
    envelope::check(standard, value, report);
    error::check(value.get("error"), report);
    match standard {
        StandardType::ObjectResult => metadata(value, report),
        StandardType::EntityResult => entity::check(value, report),
        StandardType::OperationStatus => operation::check(value, report),
        StandardType::ListResult => list::check(value, report),
        StandardType::BatchResult => batch::check(value, report),
        StandardType::FileResult => file::check(value, report),
        StandardType::MediaResult => media::check(value, report),
        StandardType::EventStream => numbers::not_negative(value, "retry", report),
        StandardType::ChunkedData => chunk::check(value, report),
        StandardType::StringValue
        | StandardType::NumberValue
        | StandardType::BooleanValue
        | StandardType::IdentifierValue
        | StandardType::VoidResult => {}
    }
}

fn metadata(value: Node<'_>, report: &mut Report) {
    if let Some(metadata) = value.get("metadata") {
        formats::date_time(metadata, "timestamp", report);
        numbers::not_negative(metadata, "duration_ms", report);
    }
}

/// A member that is a string.
fn text<'a>(object: Node<'a>, key: &str) -> Option<std::borrow::Cow<'a, str>> {
    object.get(key)?.as_str()
}
