//! A stream of lines in constant memory.

use std::io::{self, BufRead};

/// Reads lines of bounded length, counting from 1. Blank lines are passed over.
pub(crate) struct Lines<R> {
    reader: R,
    longest: usize,
    number: usize,
    line: Vec<u8>,
}

/// One line.
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    /// Without the line break. A line over the limit is cut one byte past it, which is enough for
    /// the reader of documents to refuse it.
    pub(crate) bytes: &'a [u8],
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R, longest: usize) -> Self {
        Self {
            reader,
            longest,
            number: 0,
            line: Vec::new(),
        }
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            if !self.fill()? {
                return Ok(None);
            }
            self.number += 1;
            if !self.line.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some(Line {
                    number: self.number,
                    bytes: &self.line,
                }));
            }
        }
    }

    /// The next line into the buffer; `false` at the end.
    fn fill(&mut self) -> io::Result<bool> {
        self.line.clear();
        let mut any = false;
        loop {
            let available = self.reader.fill_buf()?;
            if available.is_empty() {
                return Ok(any);
            }
            any = true;
            let end = available.iter().position(|b| *b == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            let room = self
                .longest
                .saturating_add(1)
                .saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn counts_skips_and_cuts() {
        let text = &b"one\n\n  \r\ntwo\r\nabcdefghij\nlast"[..];
        let mut lines = Lines::new(std::io::BufReader::with_capacity(3, text), 5);
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push((
                line.number,
                String::from_utf8_lossy(line.bytes).into_owned(),
            ));
        }
        let expected = [(1, "one"), (4, "two\r"), (5, "abcdef"), (6, "last")];
        assert_eq!(all, expected.map(|(n, text)| (n, text.to_owned())));
    }
}
