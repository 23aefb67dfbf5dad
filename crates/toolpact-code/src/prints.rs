//! What a script prints, buffered and sent to the host.

use std::borrow::Cow;

use monty_types::{ExcType, MontyException, PrintWriterCallback};
use toolpact::code::wire::Reply;

use crate::serve::Pipe;

/// More than this is sent at once.
const BUFFER: usize = 4 << 10;

pub(crate) struct Prints<'a> {
    pub(crate) pipe: &'a mut Pipe,
    buffer: String,
    printed: usize,
    most: usize,
    is_too_much: bool,
}

impl<'a> Prints<'a> {
    pub(crate) fn new(pipe: &'a mut Pipe, printed: usize, most: usize) -> Self {
        Self {
            pipe,
            buffer: String::new(),
            printed,
            most,
            is_too_much: false,
        }
    }

    /// Whether the script has printed too much. It may have caught the exception, which does not help it.
    pub(crate) fn is_too_much(&self) -> bool {
        self.is_too_much
    }

    /// How many bytes it may still print.
    pub(crate) fn left(&self) -> usize {
        self.most.saturating_sub(self.printed)
    }

    /// Sends the buffer. A host that is gone is noticed at the next request.
    pub(crate) fn flush(&mut self) {
        if !self.buffer.is_empty() {
            let text = std::mem::take(&mut self.buffer);
            let _ = self.pipe.send(&Reply::Printed(text));
        }
    }

    fn push(&mut self, text: &str) -> Result<(), MontyException> {
        if self.is_too_much || text.len() > self.left() {
            self.is_too_much = true;
            return Err(too_much());
        }
        self.printed += text.len();
        self.buffer.push_str(text);
        if self.buffer.len() > BUFFER {
            self.flush();
        }
        Ok(())
    }
}

fn too_much() -> MontyException {
    MontyException::new(ExcType::MemoryError, Some("too much output".to_owned()))
}

impl PrintWriterCallback for Prints<'_> {
    fn stdout_write(&mut self, output: Cow<'_, str>) -> Result<(), MontyException> {
        self.push(&output)
    }

    fn stdout_push(&mut self, end: char) -> Result<(), MontyException> {
        self.push(end.encode_utf8(&mut [0; 4]))
    }

    /// A script that caught it does not get far.
    fn poll_flush(&mut self) -> Result<(), MontyException> {
        match self.is_too_much {
            true => Err(too_much()),
            false => Ok(()),
        }
    }
}
