//! Arrays.

use super::{EndOffset, Machine, Stop, deeper};
use crate::check::fast::program::ArrayRules;

impl<'a, const SPACED: bool> Machine<'a, SPACED> {
    /// An array whose bracket is at `open`.
    #[inline(never)]
    pub(super) fn array(&mut self, rules: &'a ArrayRules, open: usize, depth: u32) -> EndOffset {
        let depth = deeper(depth)?;
        let mut at = self.space(open + 1);
        self.reached = at;
        let mut count: u32 = 0;
        if self.byte(at) != b']' {
            loop {
                let node = match rules.prefix.get(count as usize) {
                    Some(node) => *node,
                    None => rules.items,
                };
                at = self.value(node, at, depth)?;
                count += 1;
                match self.separator(at, b']')? {
                    Some(next) => at = next,
                    None => break,
                }
            }
            at = self.reached;
        }
        self.count = count;
        if !(rules.min <= count && count <= rules.max) {
            return Err(Stop::Mismatch);
        }
        match &rules.delegated {
            Some(delegated) => self.whole(delegated, open, at + 1),
            None => Ok(at + 1),
        }
    }
}
