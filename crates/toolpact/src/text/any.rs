//! A value of which nothing is known but what it is.

use toolpact_core::json::{Kind, Node};

use super::page::{Page, counted};
use super::{Cut, fields, items, plain, scalar};

pub(super) fn write(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    match value.kind() {
        Kind::Null => sentence(page, "The tool returned nothing (null)."),
        Kind::Array if scalar::is_empty(value) => sentence(page, "No items: the list is empty."),
        Kind::Object if scalar::is_empty(value) => {
            sentence(page, "The tool returned an object without fields.")
        }
        Kind::Array => {
            page.line(&format!("{}:", counted(value.items().count(), "", "items")));
            items::write_result(page, value)
        }
        Kind::Object => fields::write(page, &fields::of(value)).cut(),
        Kind::String if value.text() == "\"\"" => {
            sentence(page, "The tool returned an empty text.")
        }
        _ => plain::write(page, &value.as_str().unwrap_or(value.text().into())),
    }
}

/// A sentence of ours, which is short.
pub(super) fn sentence(page: &mut Page, sentence: &str) -> Option<Cut> {
    page.closing_line(sentence);
    None
}
