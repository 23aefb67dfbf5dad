//! Alternatives: the value is read once for each that can accept it.

use super::{EndOffset, Machine, Stop};
use crate::check::fast::delegated::Delegated;
use crate::check::fast::program::{Choice, NodeId};

/// The budget of bytes to read for alternatives. Nested ones multiply; if the budget runs out, the
/// explain path decides, which counts the cost beforehand.
pub(super) fn fuel(length: usize) -> usize {
    length.saturating_mul(64).saturating_add(1 << 20)
}

/// The minimum cost of an attempt, in bytes.
const ATTEMPT: usize = 8;

impl<const SPACED: bool> Machine<'_, SPACED> {
    #[inline(never)]
    pub(super) fn choice(&mut self, choice: u32, at: usize, depth: u32) -> EndOffset {
        let program = self.program;
        // Alternatives nested in place use the stack as levels of nesting do.
        let depth = depth.checked_sub(1).ok_or(Stop::Unsure)?;
        let at = self.space(at);
        self.reached = at;
        let class = self.class(at)?;
        match program.choices.get(choice as usize) {
            Some(Choice::Any(alternatives)) => match &*alternatives[class as usize] {
                [] => Err(Stop::Mismatch),
                [only] => self.value(*only, at, depth),
                several => self.first(several, at, depth),
            },
            Some(Choice::One(alternatives)) => match &*alternatives[class as usize] {
                [] => Err(Stop::Mismatch),
                [only] => self.value(*only, at, depth),
                several => self.only(several, at, depth),
            },
            Some(Choice::Not(not, base)) => match self.attempt(*not, at, depth)? {
                Some(_) => Err(Stop::Mismatch),
                None => self.value(*base, at, depth),
            },
            Some(Choice::If(condition, then, otherwise)) => {
                match self.attempt(*condition, at, depth)? {
                    Some(_) => self.value(*then, at, depth),
                    None => self.value(*otherwise, at, depth),
                }
            }
            None => Err(Stop::Unsure),
        }
    }

    /// Checks the delegated keywords of a value that was found well-formed from `open` to `end`.
    #[inline(never)]
    pub(super) fn whole(&mut self, delegated: &Delegated, open: usize, end: usize) -> EndOffset {
        self.spend(delegated.cost_of_whole(end - open))?;
        match delegated.accepts_json(self.slice(open, end)) {
            Some(true) => Ok(end),
            Some(false) => Err(Stop::Mismatch),
            None => Err(Stop::Unsure),
        }
    }

    /// Charges the budget for rereading, or for work that takes as long.
    pub(super) fn spend(&mut self, cost: usize) -> Result<(), Stop> {
        self.fuel = self.fuel.checked_sub(cost).ok_or(Stop::Unsure)?;
        Ok(())
    }

    fn first(&mut self, alternatives: &[NodeId], at: usize, depth: u32) -> EndOffset {
        for node in alternatives {
            if let Some(end) = self.attempt(*node, at, depth)? {
                return Ok(end);
            }
        }
        Err(Stop::Mismatch)
    }

    fn only(&mut self, alternatives: &[NodeId], at: usize, depth: u32) -> EndOffset {
        let mut found = None;
        for node in alternatives {
            if let Some(end) = self.attempt(*node, at, depth)?
                && found.replace(end).is_some()
            {
                return Err(Stop::Mismatch);
            }
        }
        found.ok_or(Stop::Mismatch)
    }

    /// The end of the value, if this node accepts it. Backtracks if not.
    fn attempt(&mut self, node: NodeId, at: usize, depth: u32) -> Result<Option<usize>, Stop> {
        let (keys, slots) = (self.scratch.keys.len(), self.scratch.shapes.opened());
        self.reached = at;
        let result = self.value(node, at, depth);
        let end = *result.as_ref().unwrap_or(&self.reached);
        let cost = end.saturating_sub(at) + ATTEMPT;
        self.spend(cost)?;
        match result {
            Ok(end) => Ok(Some(end)),
            Err(Stop::Mismatch) => {
                self.scratch.keys.truncate(keys);
                self.scratch.shapes.close(slots);
                Ok(None)
            }
            Err(stop) => Err(stop),
        }
    }
}
