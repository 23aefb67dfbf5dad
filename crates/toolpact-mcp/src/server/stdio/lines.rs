use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// Lines of at most so many bytes. What is longer is reported at once, and its rest is skipped.
pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// Where the first line that was not returned begins.
    start: usize,
    /// Up to where no line break is.
    searched: usize,
    /// Whether the current line was reported, and its rest is skipped.
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

    /// Whether all lines that were read have been returned.
    pub(super) fn is_empty(&self) -> bool {
        self.searched == self.buffer.len()
    }

    /// The next line that was read as a whole. Empty lines are skipped.
    pub(super) fn next(&mut self) -> Option<Line<'_>> {
        loop {
            let Some(found) = memchr::memchr(b'\n', &self.buffer[self.searched..]) else {
                self.searched = self.buffer.len();
                let was_too_long = self.is_too_long;
                self.is_too_long |= self.searched - self.start > self.most;
                if self.is_too_long {
                    self.start = self.searched;
                }
                let is_news = self.is_too_long && !was_too_long;
                return is_news.then_some(Line::TooLong(self.most));
            };
            let end = self.searched + found;
            let start = std::mem::replace(&mut self.start, end + 1);
            self.searched = self.start;
            if std::mem::take(&mut self.is_too_long) {
                continue;
            }
            if end - start > self.most {
                return Some(Line::TooLong(self.most));
            }
            if !self.buffer[start..end].trim_ascii().is_empty() {
                return Some(Line::Message(self.buffer[start..end].trim_ascii()));
            }
        }
    }

    /// Drops what was returned.
    fn make_room(&mut self) {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            // One long line does not cost memory for ever.
            self.buffer.shrink_to(2 * CHUNK);
        } else if self.start > 0 {
            self.buffer.drain(..self.start);
        }
        self.searched -= std::mem::take(&mut self.start);
        self.buffer.reserve(CHUNK);
    }
}
