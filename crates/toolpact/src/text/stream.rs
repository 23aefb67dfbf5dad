//! `EventStream` and `ChunkedData`: one piece of something longer.

use toolpact_core::json::{Kind, Node, Whole};

use super::binary::without_content;
use super::page::Page;
use super::{Cut, any, fields, scalar};

/// An event is its fields. What it carries comes last, so that a long one hides nothing.
pub(super) fn write_event(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    if value.kind() != Kind::Object || value.get("event").is_none() {
        return any::write(page, value);
    }
    let (data, mut order): (Vec<_>, Vec<_>) = value.members().partition(|(key, _)| key == "data");
    order.extend(data);
    fields::write(page, &order).cut()
}

pub(super) fn write_chunk(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let number = |key| match value.get(key)?.as_number()?.whole() {
        Whole::Integer(number) => Some(number),
        Whole::TooLarge | Whole::Fraction => None,
    };
    let (Some(sequence), Some(total), Some(id)) = (
        number("sequence"),
        number("total_chunks"),
        value.get("chunk_id"),
    ) else {
        return any::write(page, value);
    };
    let place = sequence.saturating_add(1);
    let is_last = value.get("is_last").and_then(Node::as_bool);
    let follows = match is_last.unwrap_or(place >= total) {
        true => "the last one".to_owned(),
        false => format!("{} more to come", total.saturating_sub(place)),
    };
    let id = scalar::word(id);
    if !page.line(&format!("Chunk {id}: {place} of {total}, {follows}")) {
        return any::write(page, value);
    }
    let known = ["chunk_id", "sequence", "total_chunks", "data", "is_last"];
    let shown = fields::write(page, &fields::but(value, &known));
    without_content(shown, value)
}
