//! Types of a single value, and the one of none.

use toolpact_core::json::{Kind, Node};

use super::envelope::{write_others, write_without};
use super::page::Page;
use super::{Cut, any, scalar};

/// `StringValue`, `NumberValue`, `BooleanValue`: the value, bare or in its envelope.
pub(super) fn write_value(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let Some(inner) = value.get("value") else {
        return write_without(page, value, "value");
    };
    let unit = value.get("unit").filter(|_| inner.kind() == Kind::Number);
    let cut = match unit.map(scalar::word) {
        Some(unit) if page.line(&format!("{} {unit}", inner.text())) => None,
        _ => any::write(page, inner),
    };
    cut.or(write_others(
        page,
        value,
        &["value", if unit.is_some() { "unit" } else { "value" }],
    )
    .cut())
}

/// `IdentifierValue`.
pub(super) fn write_identifier(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    match identity(value) {
        Some(identity) if page.line(&identity) => write_others(page, value, &["id", "type"]).cut(),
        _ => write_without(page, value, "id"),
    }
}

/// `VoidResult`.
pub(super) fn write_void(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    if value.get("success").and_then(Node::as_bool) != Some(true) {
        return any::write(page, value);
    }
    let message = value.get("message").and_then(Node::as_str);
    let message = message.filter(|message| !message.trim().is_empty());
    let cut = match message {
        Some(message) => super::plain::write(page, &format!("Done. {message}")),
        None => any::sentence(page, "Done. The tool succeeded and returns no value."),
    };
    cut.or(write_others(page, value, &["message"]).cut())
}

/// `id: usr_1 (user)`
pub(super) fn identity(value: Node<'_>) -> Option<String> {
    let id = scalar::word(value.get("id").filter(|id| !scalar::is_container(*id))?);
    let kind = value.get("type").filter(|kind| kind.kind() == Kind::String);
    let kind = kind.map(scalar::word);
    Some(kind.map_or_else(|| format!("id: {id}"), |kind| format!("id: {id} ({kind})")))
}
