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

/// How many items are in the text, and how many of them whole.
#[derive(Clone, Copy, Default)]
pub(super) struct Listed {
    pub(super) shown: usize,
    pub(super) whole: usize,
}

/// An item that no page can hold is shortened to this.
const SHORTENED: usize = 200;
/// Longest list on one line.
const ONE_LINE: usize = 100;

/// Writes as many items of an array as there is room for.
pub(super) fn write(page: &mut Page, array: Node<'_>, marker: Marker) -> Listed {
    let Some(columns) = Columns::of(array, page.left()) else {
        return blocks(page, array, marker);
    };
    // A table shortens long cells. Where there is room for everything, that would be a loss.
    let whole = match columns.has_long_cells() {
        true if page.is_trying() => return blocks(page, array, marker),
        true => all_blocks(page, array, marker),
        false => None,
    };
    whole.unwrap_or_else(|| table::write(page, &columns, array))
}

/// The same for a list that is the whole result.
pub(super) fn write_result(page: &mut Page, array: Node<'_>) -> Option<Cut> {
    let listed = write(page, array, Marker::Number);
    if let (0, Some(first)) = (listed.shown, array.items().next()) {
        page.note_too_large(first.text().len());
    }
    listed.cut(array.items().count())
}

impl Listed {
    /// Writes items for as long as `write` finds room for them.
    pub(super) fn write<T>(
        page: &mut Page,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Page, T) -> bool,
    ) -> Self {
        let mut listed = Listed::default();
        for item in items {
            let before = page.tally().short;
            if !write(page, item) {
                break;
            }
            listed.shown += 1;
            listed.whole += usize::from(page.tally().short == before);
        }
        listed
    }

    pub(super) fn cut(self, total: usize) -> Option<Cut> {
        (self.whole < total).then_some(Cut {
            shown: self.whole,
            total,
            unit: "items",
        })
    }
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

fn whole_on_one_line(item: Node<'_>) -> Option<String> {
    let compact = one_line(item, SHORTENED);
    compact.whole.then_some(compact.text)
}

fn blocks(page: &mut Page, array: Node<'_>, marker: Marker) -> Listed {
    Listed::write(page, array.items().enumerate(), |page, (i, item)| {
        let marker = match marker {
            Marker::Number => format!("{}. ", i + 1),
            Marker::Dash => "- ".to_owned(),
        };
        block(page, &marker, item)
    })
}

/// All items as blocks, if that leaves out nothing.
fn all_blocks(page: &mut Page, array: Node<'_>, marker: Marker) -> Option<Listed> {
    let mut listed = Listed::default();
    let fits = page.attempt(|page| {
        listed = blocks(page, array, marker);
        if array.items().nth(listed.whole).is_some() {
            page.give_up();
        }
    });
    fits.then_some(listed)
}

fn block(page: &mut Page, marker: &str, item: Node<'_>) -> bool {
    if page.attempt(|page| page.marked(marker, |page| value(page, item))) {
        return true;
    }
    // It would not fit anywhere; those after it may.
    !page.gave_up() && item.text().len() > page.budget() && {
        let short = one_line(item, SHORTENED.min(page.left() / 2));
        page.attempt(|page| {
            page.count_value(short.whole);
            page.marked(marker, |page| page.line(&short.text));
        })
    }
}

/// A value that must fit whole.
fn value(page: &mut Page, item: Node<'_>) {
    let line = match item.kind() {
        Kind::Array => on_one_line(item).or_else(|| whole_on_one_line(item)),
        Kind::Object => is_empty(item).then(|| "{}".to_owned()),
        _ => {
            fields::scalar(page, item);
            return;
        }
    };
    match line {
        Some(line) => {
            page.count_value(true);
            page.line(&line);
        }
        None if !page.has_room() => {
            let compact = one_line(item, page.left());
            page.count_value(compact.whole);
            page.line(&compact.text);
        }
        None if item.kind() == Kind::Object => {
            fields::write(page, &fields::of(item));
        }
        None => {
            write(page, item, Marker::Dash);
        }
    }
}
