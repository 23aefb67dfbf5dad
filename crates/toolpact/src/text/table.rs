//! Objects that are alike, as a table.

use toolpact_core::json::{Kind, Node};

use super::compact::one_line;
use super::items::Listed;
use super::page::Page;
use super::scalar::{self, cell, is_container, is_empty};

/// More columns are no table that anyone could read.
const MOST_COLUMNS: usize = 16;
const LONGEST_NAME: usize = 60;
/// A longer string is better read in a place of its own.
const LONGEST_STRING: usize = 300;
const LONGEST_NESTED: usize = 100;
/// No row is shorter than this, so no page has more rows than its room allows.
const SHORTEST_ROW: usize = 4;

pub(super) struct Columns {
    /// In the order in which they first occur.
    names: Vec<String>,
    long_cells: bool,
}

impl Columns {
    /// The columns of every row that could find a place in `room` characters, if these rows are
    /// objects with mostly the same fields, and these fields mostly short.
    pub(super) fn of(array: Node<'_>, room: usize) -> Option<Self> {
        let mut columns = Columns {
            names: Vec::new(),
            long_cells: false,
        };
        let (mut rows, mut cells, mut nested) = (0_usize, 0_usize, 0_usize);
        for item in array.items().take(room / SHORTEST_ROW + 1) {
            if item.kind() != Kind::Object {
                return None;
            }
            rows += 1;
            for (key, value) in item.members() {
                columns.add(&key)?;
                is_short(value).then_some(())?;
                cells += 1;
                columns.long_cells |= is_container(value) && value.text().len() > LONGEST_NESTED;
                nested += usize::from(is_container(value) && !is_empty(value));
            }
        }
        let filled = cells * 10 >= rows * columns.names.len() * 6;
        (rows >= 2 && cells > 0 && filled && nested * 3 <= cells).then_some(columns)
    }

    /// Whether there are cells that may have to be shortened.
    pub(super) fn has_long_cells(&self) -> bool {
        self.long_cells
    }

    fn add(&mut self, key: &str) -> Option<()> {
        if self.names.iter().any(|name| name == key) {
            return Some(());
        }
        let fits = self.names.len() < MOST_COLUMNS && key.len() <= LONGEST_NAME;
        fits.then(|| self.names.push(key.to_owned()))
    }
}

/// Writes as many rows as there is room for.
pub(super) fn write(page: &mut Page, columns: &Columns, array: Node<'_>) -> Listed {
    let names: Vec<_> = columns.names.iter().map(|name| scalar::key(name)).collect();
    let names: Vec<_> = names.iter().map(|name| cell(name)).collect();
    let header = format!("| {} |", names.join(" | "));
    let rule = format!("|{}", "---|".repeat(names.len()));
    Listed::write(page, array.items().enumerate(), |page, (i, item)| {
        page.attempt(|page| {
            // Only with a first row: a header alone tells nothing.
            if i == 0 {
                page.line(&header);
                page.line(&rule);
            }
            row(page, columns, item);
        })
    })
}

fn row(page: &mut Page, columns: &Columns, item: Node<'_>) {
    let mut line = String::from("|");
    for name in &columns.names {
        line.push(' ');
        if let Some(value) = item.get(name) {
            let (text, whole) = content(value);
            page.count_value(whole);
            line.push_str(&cell(&text));
            line.push(' ');
        }
        line.push('|');
    }
    page.line(&line);
}

fn content(value: Node<'_>) -> (String, bool) {
    if !is_container(value) {
        return (scalar::word(value).into_owned(), true);
    }
    let compact = one_line(value, LONGEST_NESTED);
    (compact.text, compact.whole)
}

fn is_short(value: Node<'_>) -> bool {
    is_container(value)
        || value.text().len() <= LONGEST_STRING
        || value
            .as_str()
            .is_some_and(|text| text.chars().nth(LONGEST_STRING).is_none())
}
