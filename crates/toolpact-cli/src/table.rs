//! Tables of words, in columns.

use std::io::Write as _;

use unicode_width::UnicodeWidthStr as _;

use crate::output::{BOLD, Output};

/// Writes rows under a head. The last column is as wide as it is.
pub(crate) fn table<const N: usize>(
    head: [&str; N],
    rows: &[[String; N]],
    out: &mut Output,
) -> anyhow::Result<()> {
    let head = head.map(str::to_owned);
    let width = |column: usize| {
        let cells = rows.iter().chain([&head]).filter_map(|row| row.get(column));
        cells.map(|cell| cell.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, width)| {
            let rest = width.saturating_sub(cell.width());
            format!("{cell}{}", " ".repeat(rest))
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    writeln!(out, "{BOLD}{}{BOLD:#}", line(&head))?;
    for row in rows {
        writeln!(out, "{}", line(row))?;
    }
    Ok(())
}
