//! The page of one tool.

use super::escape::{EscapeContext, block, code, phrase, prose};
use super::table;
use crate::rows::Way;
use crate::{Page, Promise, Shape};

/// What a page needs to know about its document.
pub(super) struct Surroundings<'a> {
    /// The level of its heading.
    pub(super) level: usize,
    /// The link to the table of errors.
    pub(super) errors: &'a str,
    /// The origin of the contract, if it is shown.
    pub(super) origin: Option<&'a str>,
}

pub(super) fn page(page: &Page, place: &Surroundings<'_>) -> String {
    let heading = |text: &str| format!("\n{} {text}\n\n", "#".repeat(place.level + 1));
    let mut text = format!("{} `{}`\n\n", "#".repeat(place.level), page.name);
    text.push_str(&prose(&page.about, EscapeContext::Line));
    text.push_str("\n\n");
    text.push_str(&facts(page, place.origin));
    text.push_str(&heading("Parameters"));
    text.push_str(&parameters(&page.parameters));
    text.push_str(&heading("Call it"));
    text.push_str(&match &page.call {
        Some(call) => block("json", &call.to_pretty()),
        None => "No call is shown, because none could be made that the contract accepts.\n".into(),
    });
    text.push_str(&heading("Returns"));
    text.push_str(&returns(&page.returns));
    if let Some(template) = &page.text {
        text.push_str(&heading("Text for models"));
        text.push_str(&block("jinja", template));
    }
    text.push_str(&heading("Errors"));
    for note in &page.errors {
        text.push_str(&format!("- {}\n", phrase(note, EscapeContext::Line)));
    }
    text.push_str(&format!(
        "\nAll errors are in [one table]({}).\n",
        place.errors
    ));
    text
}

/// Effects, timeout and origin, a line each.
fn facts(page: &Page, origin: Option<&str>) -> String {
    let mut text = String::new();
    for effect in &page.effects {
        text.push_str(&format!("- **{}**: {}\n", effect.name, effect.meaning));
    }
    if page.effects.is_empty() {
        text.push_str("- **effects**: not declared\n");
    }
    if let Some(timeout) = &page.timeout {
        text.push_str(&format!("- **timeout**: {timeout}\n"));
    }
    if let Some(origin) = origin {
        text.push_str("- **from**: ");
        code(origin, EscapeContext::Line, &mut text);
        text.push('\n');
    }
    text
}

fn parameters(shape: &Shape) -> String {
    let limits = table::limits(shape);
    if shape.rows.is_empty() {
        format!("Takes no arguments.\n{limits}")
    } else {
        table::table(shape, Way::In) + &limits + table::closed(shape, Way::In)
    }
}

fn returns(promise: &Promise) -> String {
    let mut text = phrase(&promise.what, EscapeContext::Line) + "\n";
    if !promise.about.is_empty() {
        text.push_str(&format!(
            "\n{}\n",
            prose(&promise.about, EscapeContext::Line)
        ));
    }
    if let Some(name) = &promise.content_type {
        text.push_str("\nIts content is of type ");
        code(name, EscapeContext::Line, &mut text);
        text.push_str(".\n");
    }
    if let Some(shape) = &promise.shape {
        if !shape.is_plain_object() {
            let kind = phrase(&shape.kind, EscapeContext::Line);
            text.push_str(&format!("\nType: {kind}\n"));
        }
        text.push_str(&table::limits(shape));
        if !shape.rows.is_empty() {
            text.push('\n');
            text.push_str(&table::table(shape, Way::Out));
            text.push_str(table::closed(shape, Way::Out));
        }
    }
    for example in &promise.examples {
        text.push_str("\nFor example:\n\n");
        text.push_str(&block("json", &example.to_pretty()));
    }
    if let Some((standard, example)) = &promise.looks_like {
        text.push_str(&format!("\nWhat any `{standard}` looks like:\n\n"));
        text.push_str(&block("json", &example.to_pretty()));
    }
    text
}
