//! White space between tokens.

use super::{Machine, Stop};
use crate::json::scan;

/// How many steps to scan for the first comma or colon.
const STEPS: usize = 4;

/// Whether white space follows the first comma or colon, and so probably the others.
#[inline(always)]
pub(in super::super) fn is_spaced(bytes: &[u8]) -> bool {
    let (chunks, _) = bytes.as_chunks();
    for (step, chunk) in chunks.iter().take(STEPS).enumerate() {
        if let Some(found) = scan::separator(chunk) {
            let behind = bytes.get(step * scan::STEP + found + 1);
            return behind.is_some_and(|byte| *byte <= b' ');
        }
    }
    false
}

impl<const SPACED: bool> Machine<'_, SPACED> {
    /// Where the next token begins.
    #[inline(always)]
    pub(in super::super) fn space(&self, at: usize) -> usize {
        let found = self.byte(at);
        if found > b' ' {
            at
        } else if SPACED && found == b' ' && self.byte(at + 1) > b' ' {
            at + 1
        } else {
            self.space_ahead(at)
        }
    }

    /// The same, and updates `reached`.
    #[inline(always)]
    pub(super) fn token(&mut self, at: usize) -> usize {
        self.reached = self.space(at);
        self.reached
    }

    /// After a value: the offset after the comma, or `None` if the container ends with `close`,
    /// which is then at `reached`.
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
