//! Maps positions in a script with inserted text back to the original.

use monty_types::CodeLoc;
use toolpact::code::ScriptPosition;

/// Text to insert, and where.
pub(crate) struct Insertion {
    pub(crate) at: usize,
    /// Whole lines, or a part of one.
    pub(crate) text: String,
}

impl Insertion {
    fn is_lines(&self) -> bool {
        self.text.ends_with('\n')
    }
}

/// Maps positions back to the original script.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Lines {
    /// The inserted lines, in order.
    ours: Vec<u32>,
    /// The parts of lines that were inserted, in order.
    parts: Vec<InsertedPart>,
}

#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
struct InsertedPart {
    line: u32,
    column: u32,
    width: u32,
}

impl Lines {
    /// The place in the script.
    pub(crate) fn place(&self, at: CodeLoc) -> ScriptPosition {
        let ours = self.ours.iter().take_while(|line| **line <= at.line);
        let first = self.parts.partition_point(|part| part.line < at.line);
        let parts = self.parts.iter().skip(first);
        let before = parts.take_while(|part| part.line == at.line && part.column < at.column);
        let width: u32 = before.map(|part| part.width).sum();
        ScriptPosition {
            line: at.line.saturating_sub(count(ours.count())).max(1),
            column: at.column.saturating_sub(width).max(1),
        }
    }

    /// Whether a line was inserted.
    pub(crate) fn is_ours(&self, line: u32) -> bool {
        self.ours.binary_search(&line).is_ok()
    }
}

pub(crate) fn insert(script: &str, mut insertions: Vec<Insertion>) -> (String, Lines) {
    insertions.sort_by_key(|insertion| (insertion.at, !insertion.is_lines()));
    let (mut writer, mut lines, mut done) = (Writer::default(), Lines::default(), 0);
    for insertion in insertions {
        writer.write(script.get(done..insertion.at).unwrap_or_default());
        done = insertion.at;
        let (line, column) = (writer.line(), writer.column());
        writer.write(&insertion.text);
        match insertion.is_lines() {
            true => lines.ours.extend(line..writer.line()),
            false => lines.parts.push(InsertedPart {
                line,
                column,
                width: writer.column().saturating_sub(column),
            }),
        }
    }
    writer.write(script.get(done..).unwrap_or_default());
    (writer.text, lines)
}

/// A text that knows where it ends.
#[derive(Default)]
struct Writer {
    text: String,
    newlines: usize,
    /// Characters after the last of them.
    after: usize,
}

impl Writer {
    fn write(&mut self, text: &str) {
        self.text.push_str(text);
        self.newlines += text.matches('\n').count();
        match text.rsplit_once('\n') {
            Some((_, last)) => self.after = last.chars().count(),
            None => self.after += text.chars().count(),
        }
    }

    fn line(&self) -> u32 {
        count(self.newlines + 1)
    }

    fn column(&self) -> u32 {
        count(self.after + 1)
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
