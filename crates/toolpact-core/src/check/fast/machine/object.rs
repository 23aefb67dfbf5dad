//! Objects with keys that are known.

use std::sync::atomic::{AtomicU8, Ordering};

use super::keys::Name;
use super::{Machine, Step, Stop, deeper};
use crate::check::fast::program::{BITS, ObjectRules, guess};

/// A key that was read.
struct Found {
    /// Its position among the known keys.
    position: Option<usize>,
    /// Behind the colon.
    end: usize,
}

impl<'a> Machine<'a> {
    /// An object whose brace is at `open`.
    #[inline(never)]
    pub(super) fn object(&mut self, rules: &'a ObjectRules, open: usize, depth: u32) -> Step {
        let depth = deeper(depth)?;
        let mut at = open + 1;
        let base = self.scratch.keys.len();
        let mut seen = 0_u64;
        let mut next = &rules.first;
        // Space is looked for only where something else than expected is found.
        loop {
            let guess = usize::from(next.load(Ordering::Relaxed));
            let (bit, node, end) = match rules.keys.get(guess) {
                Some(key) if key.literal.is_at(self.bytes, at) => {
                    next = &key.next;
                    (1 << guess, key.node, at + key.literal.len())
                }
                _ => {
                    at = self.space(at);
                    if self.byte(at) == b'}' && at == self.space(open + 1) {
                        break;
                    }
                    let found = self.find_key(rules, at, base, next)?;
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
        match rules.accept(seen, others) {
            true => Ok(at + 1),
            false => Err(Stop::Mismatch),
        }
    }

    /// A key that is not where it was expected, but may be known.
    #[inline(never)]
    fn find_key(
        &mut self,
        rules: &ObjectRules,
        at: usize,
        base: usize,
        next: &AtomicU8,
    ) -> Result<Found, Stop> {
        let (name, end) = self.key(at)?;
        let position = rules.names.find(&name.text(self.bytes));
        match position {
            Some(position) if position < BITS => next.store(guess(position), Ordering::Relaxed),
            None if rules.others.is_none() => return Err(Stop::Mismatch),
            _ => self.scratch.keys.push(self.bytes, base, name)?,
        }
        Ok(Found { position, end })
    }

    /// A key with its colon.
    pub(super) fn key(&self, at: usize) -> Result<(Name, usize), Stop> {
        if self.byte(at) != b'"' {
            return Err(Stop::Malformed);
        }
        let text = self.text(at)?;
        let colon = self.space(text.end);
        if self.byte(colon) != b':' {
            return Err(Stop::Malformed);
        }
        Ok((Name::new(at, text), colon + 1))
    }

    /// Looks whether a key of the object that ends was there twice, and forgets them. Returns how
    /// many there were.
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
    /// The keys that have a bit, and how many others.
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
