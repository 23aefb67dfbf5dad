//! The fields of a value.

use super::escape::{EscapeContext, code, phrase, prose};
use crate::rows::Way;
use crate::{Need, Row, Shape};

pub(super) fn table(shape: &Shape, way: Way) -> String {
    let need = match way {
        Way::In => "Required",
        Way::Out => "Always there",
    };
    let mut text = format!("| Name | Type | {need} | Description |\n|---|---|---|---|\n");
    for row in &shape.rows {
        text.push_str(&self::row(row));
    }
    if shape.cut {
        text.push_str("\nThere are more fields than are shown here.\n");
    }
    text
}

/// The limits of the whole, as a line.
pub(super) fn limits(shape: &Shape) -> String {
    let limits = shape.limits.iter();
    let limits: Vec<String> = limits
        .map(|limit| phrase(limit, EscapeContext::Line))
        .collect();
    if limits.is_empty() {
        String::new()
    } else {
        format!("\nTogether: {}.\n", limits.join("; "))
    }
}

/// The note that there are no other fields.
pub(super) fn closed(shape: &Shape, way: Way) -> &'static str {
    match (shape.is_closed, way) {
        (false, _) => "",
        (true, Way::In) => "\nOther arguments are refused.\n",
        (true, Way::Out) => "\nThere are no other fields.\n",
    }
}

fn row(row: &Row) -> String {
    let mut name = String::new();
    if row.path.is_empty() {
        name.push_str("*the whole*");
    } else {
        code(&row.path, EscapeContext::Cell, &mut name);
    }
    let kind = kind(row);
    let mut need = String::new();
    match &row.need {
        Need::Required => need.push_str("yes"),
        Need::Optional => need.push_str("no"),
        Need::Default(value) => {
            need.push_str("no, default ");
            code(value, EscapeContext::Cell, &mut need);
        }
        Need::No => {}
    }
    let about = prose(&row.about, EscapeContext::Cell);
    format!("| {name} | {kind} | {need} | {about} |\n")
}

fn kind(row: &Row) -> String {
    let limits = row.limits.iter();
    let limits = limits.map(|limit| format!("; {}", phrase(limit, EscapeContext::Cell)));
    let mut text = phrase(&row.kind, EscapeContext::Cell);
    if row.is_option {
        text = format!("**{text}**");
    }
    text.extend(limits);
    match row.same_as.as_deref() {
        None => {}
        Some("") => text.push_str("; same as the whole"),
        Some(path) => {
            text.push_str("; same as ");
            code(path, EscapeContext::Cell, &mut text);
        }
    }
    text
}
