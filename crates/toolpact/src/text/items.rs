//! The items of a list: as a table if they are alike, otherwise one after the other.

use toolpact_core::json::{Kind, Node};

use super::compact::one_line;
use super::page::Page;
use super::scalar::{self, is_empty};
use super::table::{self, Columns};
use super::{Cut, fields};

/// How an item begins that is not a row.
#[derive(Clone, Copy)]
pub(super) enum Marker {
    Number,
    Dash,
}

pub(super) struct Listed {
    pub(super) shown: usize,
    pub(super) total: usize,
}

/// An item that no page can hold is shortened to this.
const SHORTENED: usize = 200;
/// Longest list on one line.
const ONE_LINE: usize = 100;

/// Writes as many items of an array as there is room for, and counts the others.
pub(super) fn write(page: &mut Page, array: Node<'_>, marker: Marker) -> Listed {
    let shown = match Columns::of(array, page.left()) {
        Some(columns) => table::write(page, &columns, array),
        None => blocks(page, array, marker),
    };
    let total = array.items().count();
    Listed { shown, total }
}

/// The same for a list that is the whole result.
pub(super) fn write_result(page: &mut Page, array: Node<'_>) -> Option<Cut> {
    let Listed { shown, total } = write(page, array, Marker::Number);
    if let (0, Some(first)) = (shown, array.items().next()) {
        page.note_too_large(first.text().len());
    }
    let unit = "items";
    (shown < total).then_some(Cut { shown, total, unit })
}

/// The items on one line, if they are few, short and simple: `[a, b]`.
pub(super) fn on_one_line(array: Node<'_>) -> Option<String> {
    let mut line = String::from("[");
    for (i, item) in array.items().enumerate() {
        if scalar::is_container(item) || item.text().len() > ONE_LINE {
            return None;
        }
        line.push_str(if i > 0 { ", " } else { "" });
        line.push_str(&scalar::in_list(item));
        if line.len() > ONE_LINE {
            return None;
        }
    }
    line.push(']');
    Some(line)
}

fn blocks(page: &mut Page, array: Node<'_>, marker: Marker) -> usize {
    let written = |(i, item): &(usize, Node<'_>)| {
        let marker = match marker {
            Marker::Number => format!("{}. ", i + 1),
            Marker::Dash => "- ".to_owned(),
        };
        block(page, &marker, *item)
    };
    array.items().enumerate().take_while(written).count()
}

fn block(page: &mut Page, marker: &str, item: Node<'_>) -> bool {
    if page.attempt(|page| page.marked(marker, |page| value(page, item))) {
        return true;
    }
    // It would not fit anywhere; those after it may.
    item.text().len() > page.budget() && {
        let short = one_line(item, SHORTENED.min(page.left() / 2));
        page.attempt(|page| {
            page.count_value(short.whole);
            page.marked(marker, |page| page.line(&short.text));
        })
    }
}

/// A value that must fit whole.
fn value(page: &mut Page, item: Node<'_>) {
    match item.kind() {
        Kind::Array | Kind::Object if is_empty(item) => {
            page.count_value(true);
            page.line(item.text().get(..1).map_or("", |open| match open {
                "[" => "[]",
                _ => "{}",
            }));
        }
        Kind::Array | Kind::Object if !page.has_room() => {
            let compact = one_line(item, SHORTENED);
            page.count_value(compact.whole);
            page.line(&compact.text);
        }
        Kind::Object => {
            fields::write(page, &fields::of(item));
        }
        Kind::Array => match on_one_line(item) {
            Some(line) => {
                page.count_value(true);
                page.line(&line);
            }
            None => {
                write(page, item, Marker::Dash);
            }
        },
        _ => {
            fields::scalar(page, "", item);
        }
    }
}
