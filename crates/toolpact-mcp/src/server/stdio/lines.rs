use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// Lines of at most so many bytes. What is longer is skipped, and never kept.
pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// Where the first line that was not returned begins.
    start: usize,
    /// Up to where no line break is.
    searched: usize,
    /// Whether the rest of the current line is skipped.
    is_too_long: bool,
    most: usize,
}

pub(super) enum Line<'a> {
    Message(&'a [u8]),
    /// A line of more than so many bytes.
    TooLong(usize),
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R, most: usize) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            is_too_long: false,
            most,
        }
    }

    /// Reads what is there; `false` at the end of the input. Nothing is lost if this is dropped halfway.
    pub(super) async fn fill(&mut self) -> io::Result<bool> {
        self.make_room();
        Ok(self.input.read_buf(&mut self.buffer).await? > 0)
    }

    /// The next line that was read as a whole. Empty lines are skipped.
    pub(super) fn next(&mut self) -> Option<Line<'_>> {
        loop {
            let Some(found) = memchr::memchr(b'\n', &self.buffer[self.searched..]) else {
                self.searched = self.buffer.len();
                return None;
            };
            let end = self.searched + found;
            let start = std::mem::replace(&mut self.start, end + 1);
            self.searched = self.start;
            let is_too_long = std::mem::take(&mut self.is_too_long) || end - start > self.most;
            if is_too_long {
                return Some(Line::TooLong(self.most));
            }
            if !self.buffer[start..end].trim_ascii().is_empty() {
                return Some(Line::Message(self.buffer[start..end].trim_ascii()));
            }
        }
    }

    /// Drops what was returned, and what is too long.
    fn make_room(&mut self) {
        if self.buffer.len() - self.start > self.most {
            self.is_too_long = true;
            self.start = self.buffer.len();
        }
        if self.start == self.buffer.len() {
            self.buffer.clear();
            // One long line does not cost memory for ever.
            self.buffer.shrink_to(2 * CHUNK);
        } else if self.start > 0 {
            self.buffer.drain(..self.start);
        }
        self.start = 0;
        self.searched = self.buffer.len();
        self.buffer.reserve(CHUNK);
    }
}
