//! Objects with known keys.

use std::sync::atomic::Ordering;

use super::keys::Name;
use super::{EndOffset, Machine, Stop, deeper};
use crate::check::fast::program::{self, BITS, ObjectRules};

/// How many keys are compared before one is looked up by hash.
const NEAR: usize = 6;

/// A key that was read.
struct Found {
    /// Its position among the known keys.
    position: Option<usize>,
    /// The offset after the colon.
    end: usize,
}

impl<'a, const SPACED: bool> Machine<'a, SPACED> {
    /// An object whose brace is at `open`.
    #[inline(never)]
    pub(super) fn object(&mut self, rules: &'a ObjectRules, open: usize, depth: u32) -> EndOffset {
        let depth = deeper(depth)?;
        let mut at = open + 1;
        let base = self.scratch.keys.len();
        let mut seen = 0_u64;
        let mut next = &rules.first;
        loop {
            let guess = usize::from(next.load(Ordering::Relaxed));
            if SPACED {
                at = self.token(at);
            }
            let (bit, node, end) = match rules.keys.get(guess) {
                Some(key) if key.literal.is_at(self.bytes, at) => {
                    next = &key.next;
                    (1 << guess, key.node, at + key.literal.len())
                }
                _ => {
                    let before = at;
                    at = self.token(at);
                    if self.byte(at) == b'}' && at == self.space(open + 1) {
                        break;
                    }
                    let untried = usize::from(at == before);
                    let found = match self.near(rules, at, guess + untried) {
                        Some(found) => found,
                        None => self.find_key(rules, at, base)?,
                    };
                    if let Some(position) = found.position.filter(|position| *position < BITS) {
                        next.store(program::guess(position), Ordering::Relaxed);
                    }
                    match found.position {
                        Some(position) => {
                            let key = &rules.keys[position];
                            next = &key.next;
                            let bit = if position < BITS { 1 << position } else { 0 };
                            (bit, key.node, found.end)
                        }
                        None => (0, rules.others.ok_or(Stop::Mismatch)?, found.end),
                    }
                }
            };
            if seen & bit != 0 {
                return Err(Stop::Malformed);
            }
            seen |= bit;
            at = self.value(node, end, depth)?;
            match self.separator(at, b'}')? {
                Some(next) => at = next,
                None => {
                    at = self.reached;
                    break;
                }
            }
        }
        let others = self.close_keys(base)?;
        self.seen = seen;
        if !rules.accept(seen, others) {
            return Err(Stop::Mismatch);
        }
        match &rules.delegated {
            Some(delegated) => self.whole(delegated, open, at + 1),
            None => Ok(at + 1),
        }
    }

    /// Compares the next few keys from `first` on, in the order of the schema: some may be absent.
    #[inline(always)]
    fn near(&self, rules: &ObjectRules, at: usize, first: usize) -> Option<Found> {
        let count = rules.keys.len().min(BITS);
        let first = if first <= count { first } else { 0 };
        for position in (first..count).chain(0..first.min(count)).take(NEAR) {
            let literal = &rules.keys[position].literal;
            if literal.is_at(self.bytes, at) {
                return Some(Found {
                    position: Some(position),
                    end: at + literal.len(),
                });
            }
        }
        None
    }

    /// Looks up a key that is not where it was expected.
    #[inline(never)]
    fn find_key(&mut self, rules: &ObjectRules, at: usize, base: usize) -> Result<Found, Stop> {
        let (name, end) = self.key(at)?;
        self.reached = end;
        let position = rules.names.find(&name.text(self.bytes));
        match position {
            Some(position) if position < BITS => {}
            None if rules.others.is_none() => return Err(Stop::Mismatch),
            _ => self.scratch.keys.push(self.bytes, base, name)?,
        }
        Ok(Found { position, end })
    }

    /// A key with its colon.
    #[inline(always)]
    pub(super) fn key(&self, at: usize) -> Result<(Name, usize), Stop> {
        if self.byte(at) != b'"' {
            return Err(Stop::Malformed);
        }
        let text = self.text(at)?;
        let mut colon = text.end;
        if self.byte(colon) != b':' {
            colon = self.space(colon);
            if self.byte(colon) != b':' {
                return Err(Stop::Malformed);
            }
        }
        Ok((Name::new(at, text), colon + 1))
    }

    /// Checks the keys of an object that ends for duplicates and drops them. Returns how many there
    /// were.
    #[inline(always)]
    pub(super) fn close_keys(&mut self, base: usize) -> Result<usize, Stop> {
        match self.scratch.keys.len() - base {
            0 => Ok(0),
            count => {
                self.scratch.keys.close(self.bytes, base)?;
                Ok(count)
            }
        }
    }
}

impl ObjectRules {
    /// Checks the keys that have a bit, and the number of others.
    #[inline(always)]
    pub(in super::super) fn accept(&self, seen: u64, others: usize) -> bool {
        if seen & self.required != self.required {
            return false;
        }
        self.simple || self.accept_all(seen, others)
    }

    #[inline(never)]
    fn accept_all(&self, seen: u64, others: usize) -> bool {
        let count = seen.count_ones() as usize + others;
        (self.min as usize..=self.max as usize).contains(&count)
            && self
                .conditions
                .iter()
                .all(|condition| condition.holds(seen))
    }
}
