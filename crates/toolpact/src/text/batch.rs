//! `BatchResult`: counts, then failures, then what came of the others.

use toolpact_core::json::{Kind, Node};

use super::compact::one_line;
use super::envelope::write_others;
use super::page::{NOTE, Page, counted};
use super::{Cut, any, scalar};

const KNOWN: [&str; 6] = [
    "batch_id",
    "total",
    "successful",
    "failed",
    "items",
    "errors",
];
const LONGEST: usize = 400;

pub(super) fn write(page: &mut Page, value: Node<'_>) -> Option<Cut> {
    let (Some(id), Some(total)) = (value.get("batch_id"), value.get("total")) else {
        return any::write(page, value);
    };
    let items = || value.get("items").into_iter().flat_map(Node::items);
    let (id, total) = (scalar::word(id), total.text());
    if !page.line(&format!(
        "Batch {id}: {total} in all{}",
        counts(value, items)
    )) {
        return any::write(page, value);
    }
    errors(page, value);
    let failed = || items().filter(|item| !worked(*item));
    let with_data = || items().filter(|item| worked(*item) && item.get("data").is_some());
    let others = page.within(page.left() / 2, |page| write_others(page, value, &KNOWN));
    let failures = listed(page, "Failed items:", failed, failure);
    let successes = listed(page, "Done items, with their data:", with_data, success);
    if failed().next().is_some() {
        page.closing_line(
            "What to do: call again with the failed items only, after correcting what their \
             errors say.",
        );
    }
    let (shown, total) = (failures + successes, failed().count() + with_data().count());
    let unit = "items";
    (shown < total)
        .then_some(Cut { shown, total, unit })
        .or(others.cut())
}

fn worked(item: Node<'_>) -> bool {
    item.get("success").and_then(Node::as_bool) == Some(true)
}

/// ", 98 done, 2 failed": as the tool counted, otherwise as the items say.
fn counts<'a, I: Iterator<Item = Node<'a>>>(value: Node<'a>, items: impl Fn() -> I) -> String {
    let told = |key, worked_or_not: bool| match value.get(key) {
        Some(count) if count.kind() == Kind::Number => count.text().to_owned(),
        _ => {
            let counted = items().filter(|item| worked(*item) == worked_or_not);
            counted.count().to_string()
        }
    };
    let counted = value.get("successful").is_some() || value.get("failed").is_some();
    match counted || items().next().is_some() {
        true => format!(
            ", {} done, {} failed",
            told("successful", true),
            told("failed", false)
        ),
        false => String::new(),
    }
}

/// The kinds of failure with how often each occurred.
fn errors(page: &mut Page, value: Node<'_>) {
    let errors = || value.get("errors").into_iter().flat_map(Node::items);
    if errors().next().is_none() || !page.line("Errors:") {
        return;
    }
    let total = errors().count();
    let shown = page.within(page.left() / 2, |page| {
        let line = |error: &Node<'_>| {
            let times = error
                .get("count")
                .map_or(String::new(), |count| format!(" ({} times)", count.text()));
            page.line(&format!("- {}{times}", message(*error)))
        };
        errors().take_while(line).count()
    });
    if shown < total {
        page.rest(total - shown, "errors");
    }
}

/// Writes as many items as there is room for, each on a line.
fn listed<'a, I: Iterator<Item = Node<'a>>>(
    page: &mut Page,
    title: &str,
    items: impl Fn() -> I,
    line: impl Fn(Node<'a>) -> (String, bool),
) -> usize {
    if items().next().is_none() || !page.line(title) {
        return 0;
    }
    let shown = page.within(NOTE, |page| {
        let written = |item: &Node<'a>| {
            let (line, whole) = line(*item);
            page.attempt(|page| {
                page.count_value(whole);
                page.line(&format!("- {line}"));
            })
        };
        items().take_while(written).count()
    });
    let more = items().skip(shown).count();
    if more > 0 {
        page.line(&format!("… {}", counted(more, "more ", "items")));
    }
    shown
}

fn failure(item: Node<'_>) -> (String, bool) {
    let said = item
        .get("error")
        .map_or_else(|| "no reason given".to_owned(), message);
    (format!("{}: {said}", id(item)), true)
}

fn success(item: Node<'_>) -> (String, bool) {
    let Some(data) = item.get("data") else {
        return (id(item), true);
    };
    let data = one_line(data, LONGEST);
    (format!("{}: {}", id(item), data.text), data.whole)
}

fn id(item: Node<'_>) -> String {
    item.get("id")
        .map_or_else(|| "(no id)".to_owned(), |id| one_line_word(id))
}

/// `VALIDATION_ERROR: Invalid email format`
fn message(error: Node<'_>) -> String {
    let word = |key| error.get(key).map(one_line_word);
    match (word("code"), word("message")) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(said), None) | (None, Some(said)) => said,
        (None, None) if error.kind() == Kind::String => one_line_word(error),
        // Whatever else is in it may be a stack trace.
        (None, None) => "no reason given".to_owned(),
    }
}

fn one_line_word(node: Node<'_>) -> String {
    match scalar::is_container(node) || node.text().len() > 4 * LONGEST {
        true => one_line(node, LONGEST).text,
        false => scalar::word(node).into_owned(),
    }
}
