//! White space between tokens.

use super::{Machine, Stop};
use crate::json::scan;

/// How many steps to look ahead for the first comma or colon.
const STEPS: usize = 4;

/// Whether there is white space behind the first comma or colon, and so probably behind the others.
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

    /// The same, counted as read.
    #[inline(always)]
    pub(super) fn token(&mut self, at: usize) -> usize {
        self.reached = self.space(at);
        self.reached
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
