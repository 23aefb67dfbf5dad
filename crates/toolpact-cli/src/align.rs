//! Aligns the columns of Markdown tables.

use unicode_width::UnicodeWidthStr as _;

/// The delimiter row.
const RULE: usize = 1;

/// Longer cells stick out, instead of widening the column.
const WIDEST: usize = 40;

/// The text with all its tables aligned. Everything else is unchanged.
pub(crate) fn align(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(line) = lines.get(at) {
        // Tables of fields are indented.
        let indent = line.len() - line.trim_start_matches(' ').len();
        let indent = line.get(..indent).unwrap_or_default();
        match table(indent, lines.get(at..).unwrap_or_default()) {
            Some(rows) => {
                at += rows.len();
                let rows = aligned(&rows).into_iter();
                out.extend(rows.map(|row| format!("{indent}{row}")));
            }
            None => {
                at += 1;
                out.push((*line).to_owned());
            }
        }
    }
    out.join("\n")
}

/// The rows of the table that begins here: a header, a delimiter row, and rows of as many cells.
fn table<'t>(indent: &str, lines: &[&'t str]) -> Option<Vec<Vec<&'t str>>> {
    let cells = |line: &&'t str| cells(line.strip_prefix(indent)?);
    let (head, rule) = (cells(lines.first()?)?, cells(lines.get(1)?)?);
    let columns = head.len();
    let is_rule = rule.len() == columns && rule.iter().all(|cell| is_rule(cell));
    let rows = lines.iter().map_while(cells);
    let rows = rows.take_while(|row| row.len() == columns);
    is_rule.then(|| rows.collect())
}

fn is_rule(cell: &str) -> bool {
    cell == "---"
}

/// The cells between the bars of a row. A bar after `\` is a part of its cell.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.strip_prefix('|')?.strip_suffix('|')?;
    let (mut cells, mut begin, mut escaped) = (Vec::new(), 0, false);
    for (at, c) in inside.char_indices() {
        if c == '|' && !escaped {
            cells.push(inside.get(begin..at)?.trim());
            begin = at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    // The last bar may be one that belongs to a cell.
    cells.push(inside.get(begin..)?.trim());
    (!escaped).then_some(cells)
}

fn aligned(rows: &[Vec<&str>]) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let others = rows
            .iter()
            .enumerate()
            .filter(|(number, _)| *number != RULE);
        let cells = others.filter_map(|(_, row)| row.get(column));
        let widths = cells.map(|cell| cell.width());
        widths.filter(|width| *width <= WIDEST).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let row = |(number, row): (usize, &Vec<&str>)| {
        let mut line = String::from("|");
        for (cell, &width) in row.iter().zip(&widths) {
            let rest = width.saturating_sub(cell.width());
            match number == RULE {
                true => line.push_str(&"-".repeat(width + 2)),
                false => line.push_str(&format!(" {cell}{} ", " ".repeat(rest))),
            }
            line.push('|');
        }
        line
    };
    rows.iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::align;

    #[test]
    fn columns_stand_under_each_other() {
        let text = "2 items\n| id | name |\n|---|---|\n| 7 | Ada |\n| 12345 | |\n[the end]";
        let expected = "2 items
| id    | name |
|-------|------|
| 7     | Ada  |
| 12345 |      |
[the end]";
        assert_eq!(align(text), expected);
        let indented = align("all:\n  | a |\n  |---|\n  | 123 |\n| 4 |");
        assert_eq!(indented, "all:\n  | a   |\n  |-----|\n  | 123 |\n| 4 |");
    }

    /// Characters that take two terminal columns, or none, and a cell that looks like a delimiter.
    #[test]
    fn columns_are_those_of_terminals() {
        let text = "| a | b |\n|---|---|\n| 茶 | 1 |\n| e\u{301} | 2 |\n| --- | 3 |";
        let expected = "\
| a   | b |
|-----|---|
| 茶  | 1 |
| e\u{301}   | 2 |
| --- | 3 |";
        assert_eq!(align(text), expected);
    }

    #[test]
    fn what_is_no_table_stays() {
        for text in [
            "",
            "|",
            "||",
            "| a | b |",
            "| a | b |\n|---|",
            "| a |\n| b |\n",
            "|---|\n",
            "a | b\n---|---\n1 | 2",
        ] {
            assert_eq!(align(text), text.trim_end_matches('\n'), "{text:?}");
        }
    }

    #[test]
    fn bars_in_cells_and_long_cells() {
        let long = "x".repeat(50);
        let text = format!("| a | b |\n|---|---|\n| \\| | {long} |\n| 1 | 2 |\n| odd |");
        let expected = format!("| a  | b |\n|----|---|\n| \\| | {long} |\n| 1  | 2 |\n| odd |");
        assert_eq!(align(&text), expected);
    }
}
