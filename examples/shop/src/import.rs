//! Orders from CSV: every line on its own, so that a bad one does not keep the others out.

use std::collections::HashMap;

use csv::StringRecord;
use rusqlite::Transaction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::ToolError;
use toolpact::returns::{BatchItem, BatchResult};

use crate::store::create::{NewOrder, create};
use crate::values::{CURRENCY, Cents, CustomerId, OrderId, Sku, now};

/// More lines than this take too long for one call.
const MOST: usize = 1000;

/// What a line may have.
const COLUMNS: [&str; 5] = ["customer", "product", "quantity", "note", "reference"];
const REQUIRED: [&str; 3] = ["customer", "product", "quantity"];

/// An order that was taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Imported {
    order: OrderId,
    total: Cents,
    currency: String,
}

/// A line of the text, which may be wrong.
pub(crate) struct Row {
    line: u64,
    cells: Result<HashMap<&'static str, String>, ToolError>,
}

/// Takes the text apart. What is wrong with all of it is an error, what is wrong with a line is not.
pub(crate) fn read(text: &str) -> Result<Vec<Row>, ToolError> {
    // Spreadsheets like to begin with a mark.
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let columns = columns(reader.headers()?)?;
    let (mut rows, mut lines) = (Vec::new(), Lines::default());
    for record in reader.records() {
        let record = record?;
        if rows.len() == MOST {
            return Err(ToolError::invalid(format!(
                "Expected at most {MOST} lines, found more. Nothing was imported; send fewer at a time."
            )));
        }
        rows.push(Row {
            line: lines.at(text, record.position().map_or(0, csv::Position::byte)),
            cells: cells(&columns, &record),
        });
    }
    Ok(rows)
}

/// Counts lines as an editor does; that of the reader is one behind where lines end in CRLF.
#[derive(Default)]
struct Lines {
    upto: usize,
    ends: u64,
}

impl Lines {
    /// The line of the record that begins at this byte or after the ends of lines that follow it.
    fn at(&mut self, text: &str, byte: u64) -> u64 {
        let bytes = text.as_bytes();
        let mut begin = usize::try_from(byte).unwrap_or(usize::MAX).min(bytes.len());
        while matches!(bytes.get(begin), Some(b'\r' | b'\n')) {
            begin += 1;
        }
        let passed = text.get(self.upto..begin).unwrap_or_default();
        let ends = passed.matches('\n').count();
        self.ends += u64::try_from(ends).unwrap_or(0);
        self.upto = begin;
        self.ends + 1
    }
}

/// Takes the orders, each in a savepoint of its own. If the database fails, none is taken: it may have
/// rolled back everything by itself, and a savepoint outside of a transaction would be one.
pub(crate) fn take(
    to: &mut Transaction<'_>,
    rows: Vec<Row>,
) -> Result<BatchResult<Imported>, ToolError> {
    to.execute("INSERT INTO imports (at) VALUES (?)", [now()])?;
    let batch = format!("import-{}", to.last_insert_rowid());
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let id = format!("line {}", row.line);
        items.push(match take_one(to, &row) {
            Ok(imported) => BatchItem::success(&id, imported),
            // What is wrong with a line is told; only what is not its fault has a cause for the logs.
            Err(error) if error.source().is_some() || to.is_autocommit() => return Err(error),
            Err(error) => {
                let line = i64::try_from(row.line)?;
                BatchItem::failure(&id, error.with_detail("line", line).into_standard())
            }
        });
    }
    Ok(BatchResult::new(&batch, items)?)
}

fn take_one(to: &mut Transaction<'_>, row: &Row) -> Result<Imported, ToolError> {
    let savepoint = to.savepoint()?;
    let cells = match &row.cells {
        Ok(cells) => cells,
        Err(error) => return Err(ToolError::from(error.as_standard().clone())),
    };
    let product: Sku = cell(cells, "product")?;
    let order = NewOrder {
        customer: cell::<CustomerId>(cells, "customer")?,
        lines: vec![(&product, quantity(cells)?)],
        note: short(cells, "note", 500)?.unwrap_or_default(),
        reference: short(cells, "reference", 64)?,
    };
    let (order, total) = create(&savepoint, &order)?;
    savepoint.commit()?;
    Ok(Imported {
        order,
        total,
        currency: CURRENCY.to_owned(),
    })
}

/// The columns in the order of the text.
fn columns(header: &StringRecord) -> Result<Vec<&'static str>, ToolError> {
    let mut columns: Vec<&'static str> = Vec::new();
    for name in header {
        let known = COLUMNS.into_iter().find(|column| *column == name);
        match known.filter(|column| !columns.contains(column)) {
            Some(column) => columns.push(column),
            None => return Err(wrong_header(&format!("found `{}`", brief(name)))),
        }
    }
    match REQUIRED.iter().find(|column| !columns.contains(column)) {
        Some(missing) => Err(wrong_header(&format!("`{missing}` is missing"))),
        None => Ok(columns),
    }
}

fn wrong_header(found: &str) -> ToolError {
    ToolError::invalid(format!(
        "The first line names the columns, each once. Expected `customer`, `product`, `quantity` and, \
         if you like, `note` and `reference`; {found}. Nothing was imported."
    ))
}

fn cells(
    columns: &[&'static str],
    record: &StringRecord,
) -> Result<HashMap<&'static str, String>, ToolError> {
    if record.len() != columns.len() {
        let (expected, found) = (columns.len(), record.len());
        return Err(ToolError::invalid(format!(
            "Expected {expected} cells, as in the first line, found {found}."
        )));
    }
    let cells = columns.iter().zip(record);
    Ok(cells
        .map(|(column, cell)| (*column, cell.to_owned()))
        .collect())
}

fn cell<T: std::str::FromStr<Err: std::fmt::Display>>(
    cells: &HashMap<&'static str, String>,
    column: &str,
) -> Result<T, ToolError> {
    let text = cells.get(column).map(String::as_str).unwrap_or_default();
    text.parse().map_err(|error| {
        ToolError::invalid(format!("`{column}`: {error}, found `{}`.", brief(text)))
            .with_detail("column", column)
    })
}

/// As many as `create_order` takes.
fn quantity(cells: &HashMap<&'static str, String>) -> Result<u32, ToolError> {
    let text = cells
        .get("quantity")
        .map(String::as_str)
        .unwrap_or_default();
    let quantity = text
        .parse()
        .ok()
        .filter(|quantity| (1..=1000).contains(quantity));
    quantity.ok_or_else(|| {
        let expected = "a whole number from 1 to 1000";
        ToolError::invalid(format!(
            "`quantity`: expected {expected}, found `{}`.",
            brief(text)
        ))
        .with_detail("column", "quantity")
    })
}

/// A text, if there is one.
fn short<'a>(
    cells: &'a HashMap<&'static str, String>,
    column: &str,
    most: usize,
) -> Result<Option<&'a str>, ToolError> {
    let text = cells
        .get(column)
        .map(String::as_str)
        .filter(|text| !text.is_empty());
    match text.map_or(0, |text| text.chars().count()) {
        found if found > most => Err(ToolError::invalid(format!(
            "`{column}`: expected at most {most} characters, found {found}."
        ))
        .with_detail("column", column)),
        _ => Ok(text),
    }
}

/// As much of a text as a message has room for.
fn brief(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::{read, take};
    use crate::Shop;

    /// SQLite rolls back by itself when it is full, and then there is room again.
    #[test]
    fn a_database_that_is_full_takes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let shop = Shop::options().orders(50).open(dir.path()).unwrap();
        let count = || {
            let sql = "SELECT count(*) + (SELECT count(*) FROM imports) FROM orders";
            let read = |from: &rusqlite::Connection| {
                Ok(from.query_row(sql, (), |row| row.get::<_, i64>(0))?)
            };
            shop.database.read(read).unwrap()
        };
        let before = count();
        let note = "n".repeat(500);
        let line = format!("C-101,TEA-001,1,{note}\n");
        let csv = format!("customer,product,quantity,note\n{}", line.repeat(40));
        let imported = shop.database.write(|to| {
            let pages = |pragma| to.query_row(pragma, (), |row| row.get::<_, u32>(0));
            let most = pages("PRAGMA page_count")? + 4;
            pages(&format!("PRAGMA max_page_count = {most}"))?;
            take(to, read(&csv)?)
        });
        let error = imported.unwrap_err();
        assert!(format!("{error:?}").contains("full"), "{error:?}");
        assert_eq!(count(), before);
    }
}
