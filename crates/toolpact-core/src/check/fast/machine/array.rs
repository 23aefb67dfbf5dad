//! Arrays.

use super::{Machine, Step, Stop, deeper};
use crate::check::fast::program::ArrayRules;

impl<'a> Machine<'a> {
    /// An array whose bracket is at `open`.
    pub(super) fn array(&mut self, rules: &'a ArrayRules, open: usize, depth: u32) -> Step {
        let depth = deeper(depth)?;
        let mut at = self.space(open + 1);
        let mut count: u32 = 0;
        if self.byte(at) != b']' {
            loop {
                let node = rules.prefix.get(count as usize).copied();
                at = self.value(node.unwrap_or(rules.items), at, depth)?;
                count += 1;
                at = self.space(at);
                match self.byte(at) {
                    b',' => at = self.comma(at),
                    b']' => break,
                    _ => return Err(Stop::Malformed),
                }
            }
        }
        self.count = count;
        match rules.min <= count && count <= rules.max {
            true => Ok(at + 1),
            false => Err(Stop::Mismatch),
        }
    }
}
