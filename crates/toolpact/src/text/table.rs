//! Objects that are alike, as a table.

use toolpact_core::json::{Kind, Node};

use super::compact::one_line;
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

/// The names of the columns, in the order in which they first occur.
pub(super) struct Columns(Vec<String>);

impl Columns {
    /// The columns of every row that could find a place in `room` characters, if these rows are
    /// objects with mostly the same fields, and these fields mostly short.
    pub(super) fn of(array: Node<'_>, room: usize) -> Option<Self> {
        let mut columns = Columns(Vec::new());
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
                nested += usize::from(is_container(value) && !is_empty(value));
            }
        }
        let filled = cells * 10 >= rows * columns.0.len() * 6;
        (rows >= 2 && cells > 0 && filled && nested * 3 <= cells).then_some(columns)
    }

    fn add(&mut self, key: &str) -> Option<()> {
        if self.0.iter().any(|name| name == key) {
            return Some(());
        }
        let fits = self.0.len() < MOST_COLUMNS && key.len() <= LONGEST_NAME;
        fits.then(|| self.0.push(key.to_owned()))
    }
}

/// Writes as many rows as there is room for, and returns how many.
pub(super) fn write(page: &mut Page, columns: &Columns, array: Node<'_>) -> usize {
    let mut items = array.items();
    let Some(first) = items.next() else { return 0 };
    let names: Vec<_> = columns.0.iter().map(|name| scalar::key(name)).collect();
    let names: Vec<_> = names.iter().map(|name| cell(name)).collect();
    let header = format!("| {} |", names.join(" | "));
    // A header without a row tells nothing.
    let begun = page.attempt(|page| {
        page.line(&header);
        page.line(&format!("|{}", "---|".repeat(names.len())));
        row(page, columns, first);
    });
    if !begun {
        return 0;
    }
    1 + items
        .take_while(|item| page.attempt(|page| row(page, columns, *item)))
        .count()
}

fn row(page: &mut Page, columns: &Columns, item: Node<'_>) {
    let mut line = String::from("|");
    for name in &columns.0 {
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
