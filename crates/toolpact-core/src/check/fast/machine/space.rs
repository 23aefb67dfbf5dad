use super::{Machine, Stop};

impl Machine<'_> {
    /// Where the next token begins.
    #[inline(always)]
    pub(in super::super) fn space(&self, at: usize) -> usize {
        match self.byte(at) > b' ' {
            true => at,
            false => self.space_ahead(at),
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
        while matches!(self.byte(at), b' ' | b'\n' | b'\r' | b'\t') {
            at += 1;
        }
        at
    }
}
