//! White space between tokens.

use super::{Machine, Stop};
use crate::json::scan;

impl Machine<'_> {
    /// Where the next token begins. One blank, as many programs write it behind a comma or a colon,
    /// is skipped right here.
    #[inline(always)]
    pub(in super::super) fn space(&self, at: usize) -> usize {
        let found = self.byte(at);
        if found > b' ' {
            at
        } else if found == b' ' && self.byte(at + 1) > b' ' {
            at + 1
        } else {
            self.space_ahead(at)
        }
    }

    /// Behind a value: where the next one begins, or `None` if the container ends with `close`. In
    /// that case `reached` is where that stands.
    #[inline(always)]
    pub(super) fn separator(&mut self, at: usize, close: u8) -> Result<Option<usize>, Stop> {
        let mut at = at;
        let mut found = self.byte(at);
        if found <= b' ' {
            at = self.space_ahead(at);
            found = self.byte(at);
        }
        self.reached = at;
        match found {
            b',' => Ok(Some(at + 1)),
            _ if found == close => Ok(None),
            _ => Err(Stop::Malformed),
        }
    }

    #[inline(never)]
    fn space_ahead(&self, mut at: usize) -> usize {
        while let Some(chunk) = self.chunk(at) {
            let length = scan::space(chunk);
            at += length;
            if length < scan::STEP {
                return at;
            }
        }
        while scan::is_space(self.byte(at)) {
            at += 1;
        }
        at
    }
}
