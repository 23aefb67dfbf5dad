//! A stream of lines in constant memory.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;

/// How much is read at a time.
const BUFFER: usize = 1 << 17;

/// Reads lines of bounded length, counting from 1. Blank lines are skipped.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    longest: usize,
    number: usize,
    ended: bool,
}

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    /// Without the line break. A line over the limit is cut one byte past it, so that the document
    /// reader refuses it.
    pub(crate) bytes: &'a [u8],
}

/// Some lines with their own storage.
#[derive(Debug, Default)]
pub(crate) struct Block {
    bytes: Vec<u8>,
    lines: Vec<(usize, Range<usize>)>,
}

impl Block {
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn get(&self, at: usize) -> Option<Line<'_>> {
        let (number, range) = self.lines.get(at)?;
        Some(Line {
            number: *number,
            bytes: self.bytes.get(range.clone())?,
        })
    }
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R, longest: usize) -> Self {
        Self {
            reader: BufReader::with_capacity(BUFFER, input),
            longest,
            number: 0,
            ended: false,
        }
    }

    /// Adds the next line to a block; `false` at the end.
    pub(crate) fn read_into(&mut self, block: &mut Block) -> io::Result<bool> {
        let start = block.bytes.len();
        while self.fill(&mut block.bytes)? {
            self.number += 1;
            let line = block.bytes.get(start..).unwrap_or_default();
            if !is_blank(line) {
                block.lines.push((self.number, start..block.bytes.len()));
                return Ok(true);
            }
            block.bytes.truncate(start);
        }
        Ok(false)
    }

    /// Whether the next line, or the end, can be read without blocking.
    pub(crate) fn is_ready(&mut self) -> bool {
        while let Some(end) = memchr::memchr(b'\n', self.reader.buffer()) {
            if !is_blank(self.reader.buffer().get(..end).unwrap_or_default()) {
                return true;
            }
            self.reader.consume(end + 1);
            self.number += 1;
        }
        self.ended
    }

    /// The next line, blank or not; `false` at the end.
    fn fill(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        let most = line.len().saturating_add(self.longest).saturating_add(1);
        let mut any = false;
        loop {
            let available = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                available => available?,
            };
            if available.is_empty() {
                self.ended = true;
                return Ok(any);
            }
            any = true;
            let end = memchr::memchr(b'\n', available);
            let part = &available[..end.unwrap_or(available.len())];
            line.extend_from_slice(&part[..part.len().min(most - line.len())]);
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{Block, Lines};

    fn all(block: &Block) -> Vec<(usize, String)> {
        let line = |at| block.get(at).unwrap();
        (0..block.len())
            .map(|at| {
                (
                    line(at).number,
                    String::from_utf8_lossy(line(at).bytes).into_owned(),
                )
            })
            .collect()
    }

    #[test]
    fn counts_skips_and_cuts() {
        let text = &b"one\n\n  \r\ntwo\r\nabcdefghij\nlast"[..];
        let mut lines = Lines::new(text, 5);
        let mut block = Block::default();
        while lines.read_into(&mut block).unwrap() {}
        let expected = [(1, "one"), (4, "two\r"), (5, "abcdef"), (6, "last")];
        assert_eq!(all(&block), expected.map(|(n, text)| (n, text.to_owned())));
        assert_eq!(block.size(), "onetwo\rabcdeflast".len());
    }

    /// Returns one piece at a time, as a pipe does.
    struct Pieces(Vec<&'static str>);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.is_empty() {
                true => Ok(0),
                false => self.0.remove(0).as_bytes().read(buffer),
            }
        }
    }

    #[test]
    fn knows_what_it_would_have_to_wait_for() {
        let mut lines = Lines::new(Pieces(vec!["one\n\ntw", "o\n\n \n", "three"]), 100);
        let mut block = Block::default();
        let mut next = || {
            let ready = lines.is_ready();
            (ready, lines.read_into(&mut block).unwrap())
        };
        assert_eq!(next(), (false, true));
        assert_eq!(next(), (false, true), "`two` is not whole");
        assert_eq!(next(), (false, true), "blank lines are not worth a look");
        assert_eq!(next(), (true, false));
        let expected = [(1, "one"), (3, "two"), (6, "three")];
        assert_eq!(all(&block), expected.map(|(n, text)| (n, text.to_owned())));
    }
}
