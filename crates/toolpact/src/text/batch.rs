//! `BatchResult`: counts, then failures, then what came of the others.

use std::borrow::Cow;

use toolpact_core::json::{Kind, Node};

use super::compact::{Compact, one_line};
use super::envelope::write_others;
use super::items::Listed;
use super::page::{NOTE, Page};
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
    let (id, total) = (scalar::word(id), scalar::word(total));
    let line = format!("Batch {id}: {total} in all{}", counts(value));
    if !page.line(&line) {
        return any::write(page, value);
    }
    // Where there is room for everything, nothing need be short.
    let longest = match value.text().len() <= page.left() {
        true => page.left(),
        false => LONGEST,
    };
    let errors = errors(page, value, longest);
    let others = page.within(page.left() / 2, |page| write_others(page, value, &KNOWN));
    let outcomes = outcomes(page, value, longest);
    if has_failures(value) {
        page.closing_line(
            "What to do: call again with the failed items only, after correcting what their \
             errors say.",
        );
    }
    outcomes.or(errors).or(others.cut())
}

fn outcomes(page: &mut Page, value: Node<'_>, longest: usize) -> Option<Cut> {
    let failed = || items(value).filter(|item| !worked(*item));
    let with_data = || items(value).filter(|item| worked(*item) && item.get("data").is_some());
    let failures = listed(page, "Failed items:", failed, |item| failure(item, longest));
    let successes = listed(page, "Done items, with their data:", with_data, |item| {
        success(item, longest)
    });
    let listed = Listed {
        shown: failures.shown + successes.shown,
        whole: failures.whole + successes.whole,
    };
    listed.cut(failed().count() + with_data().count())
}

fn items(value: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    value.get("items").into_iter().flat_map(Node::items)
}

fn has_failures(value: Node<'_>) -> bool {
    let told = value.get("failed").and_then(Node::as_number);
    told.is_some_and(|failed| failed.as_f64() > 0.0) || items(value).any(|item| !worked(item))
}

fn worked(item: Node<'_>) -> bool {
    item.get("success").and_then(Node::as_bool) == Some(true)
}

/// ", 98 done, 2 failed": as the tool counted, otherwise as the items say.
fn counts(value: Node<'_>) -> String {
    let told = |key, worked_or_not: bool| match value.get(key) {
        Some(count) if count.kind() == Kind::Number => count.text().to_owned(),
        _ => {
            let counted = items(value).filter(|item| worked(*item) == worked_or_not);
            counted.count().to_string()
        }
    };
    let counted = value.get("successful").is_some() || value.get("failed").is_some();
    match counted || items(value).next().is_some() {
        true => format!(
            ", {} done, {} failed",
            told("successful", true),
            told("failed", false)
        ),
        false => String::new(),
    }
}

/// The kinds of failure with how often each occurred.
fn errors(page: &mut Page, value: Node<'_>, longest: usize) -> Option<Cut> {
    let errors = || value.get("errors").into_iter().flat_map(Node::items);
    let room = page.left() / 2;
    let listed = page.within(room, |page| {
        listed(page, "Errors:", errors, |error| {
            let Compact { text, whole } = message(error, longest);
            let times = error.get("count").map(scalar::word);
            let times = times.map_or(String::new(), |count| format!(" ({count} times)"));
            let text = text + &times;
            Compact { text, whole }
        })
    });
    let cut = listed.cut(errors().count())?;
    Some(Cut {
        unit: "errors",
        ..cut
    })
}

/// Writes as many items as there is room for, each on a line.
fn listed<'a, I: Iterator<Item = Node<'a>>>(
    page: &mut Page,
    title: &str,
    items: impl Fn() -> I,
    line: impl Fn(Node<'a>) -> Compact,
) -> Listed {
    if items().next().is_none() || !page.line(title) {
        return Listed::default();
    }
    let listed = page.within(NOTE, |page| {
        Listed::write(page, items(), |page, item| {
            let line = line(item);
            page.attempt(|page| {
                page.count_value(line.whole);
                page.line(&format!("- {}", line.text));
            })
        })
    });
    let more = items().skip(listed.shown).count();
    if more > 0 {
        page.line(&format!("… {more} more"));
    }
    listed
}

fn failure(item: Node<'_>, longest: usize) -> Compact {
    let said = item.get("error");
    let said = said.map_or_else(no_reason, |error| message(error, longest));
    let text = format!("{}: {}", id(item), said.text);
    Compact { text, ..said }
}

fn success(item: Node<'_>, longest: usize) -> Compact {
    let data = item.get("data").map(|data| one_line(data, longest));
    data.map_or_else(no_reason, |data| Compact {
        text: format!("{}: {}", id(item), data.text),
        ..data
    })
}

fn id(item: Node<'_>) -> Cow<'_, str> {
    item.get("id").map_or("(no id)".into(), scalar::word)
}

/// `VALIDATION_ERROR: Invalid email format`
fn message(error: Node<'_>, longest: usize) -> Compact {
    match (error.get("code"), error.get("message")) {
        (Some(code), Some(said)) => {
            let said = short(said, longest);
            let text = format!("{}: {}", scalar::word(code), said.text);
            Compact { text, ..said }
        }
        (Some(said), None) | (None, Some(said)) => short(said, longest),
        (None, None) if error.kind() == Kind::String => short(error, longest),
        // Whatever else is in it may be a stack trace.
        (None, None) => no_reason(),
    }
}

fn short(said: Node<'_>, longest: usize) -> Compact {
    match said.as_str() {
        Some(text) if text.chars().nth(longest).is_none() => Compact {
            text: scalar::word(said).into_owned(),
            whole: true,
        },
        _ => one_line(said, longest),
    }
}

fn no_reason() -> Compact {
    Compact {
        text: "no reason given".to_owned(),
        whole: true,
    }
}
