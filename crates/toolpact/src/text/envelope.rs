//! What surrounds the data of most types: whether it worked, and what is known about the call.

use toolpact_core::json::{Kind, Node};

use super::fields::{self, Field, Shown};
use super::page::Page;
use super::{Cut, any, scalar};

/// About the call and not about its result: for programs.
const OF_THE_CALL: [&str; 3] = ["timestamp", "request_id", "duration_ms"];

/// `ObjectResult`.
pub(super) fn write(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let data = value.get("data").filter(|data| data.kind() == Kind::Object);
    let Some(data) = data else {
        return any::write(page, value);
    };
    if scalar::is_empty(data) {
        any::sentence(page, "Done. The tool returned no data.");
    }
    let mut shown = fields::write(page, &fields::of(data));
    shown += write_others(page, value, &["data"]);
    shown.cut()
}

/// Where the field that the type is about is not there.
pub(super) fn write_without(page: &mut Page, value: Node<'_>, field: &str) -> Option<Cut> {
    let succeeded = value.get("success").and_then(Node::as_bool) == Some(true);
    if !succeeded || value.get(field).is_some() {
        return any::write(page, value);
    }
    let said = format!("The tool succeeded, but its result has no {field}.");
    any::sentence(page, &said);
    write_others(page, value, &[]).cut()
}

/// Writes what a type does not know, so that nothing is lost.
pub(super) fn write_others(page: &mut Page, value: Node<'_>, known: &[&str]) -> Shown {
    let others = fields::but(value, &["success", "metadata"]);
    let mut others: Vec<Field<'_>> = others
        .into_iter()
        .filter(|(key, _)| !known.contains(&&**key))
        .collect();
    if let Some(metadata) = value.get("metadata") {
        others.extend(fields::but(metadata, &OF_THE_CALL));
    }
    fields::write(page, &others)
}
