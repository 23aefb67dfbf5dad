use super::Machine;

impl Machine<'_> {
    /// Where the next token begins.
    #[inline(always)]
    pub(in super::super) fn space(&self, at: usize) -> usize {
        match self.byte(at) > b' ' {
            true => at,
            false => self.space_ahead(at),
        }
    }

    /// Behind a comma, one more piece of the text is done.
    #[inline(always)]
    pub(super) fn comma(&mut self, at: usize) -> usize {
        self.reached = at;
        self.space(at + 1)
    }

    #[inline(never)]
    fn space_ahead(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\n' | b'\r' | b'\t') {
            at += 1;
        }
        at
    }
}
