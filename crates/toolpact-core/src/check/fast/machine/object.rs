//! Objects with keys that are known.

use std::sync::atomic::Ordering;

use super::keys::Name;
use super::{Machine, Step, Stop, deeper};
use crate::check::fast::program::{BITS, ObjectRules};

/// A key that was read.
struct Found {
    /// Its position among the known keys.
    position: Option<usize>,
    /// Behind the colon.
    end: usize,
}

impl<'a> Machine<'a> {
    /// An object whose brace is at `open`.
    pub(super) fn object(&mut self, rules: &'a ObjectRules, open: usize, depth: u32) -> Step {
        let depth = deeper(depth)?;
        let mut at = self.space(open + 1);
        let (mut seen, mut count) = (0_u64, 0_u32);
        if self.byte(at) != b'}' {
            let base = self.scratch.keys.len();
            // The place in the table of guesses: behind which key the next one is expected.
            let mut behind = 0;
            loop {
                let guess = (rules.guesses.get(behind)).map_or(usize::MAX, |guess| {
                    usize::from(guess.load(Ordering::Relaxed))
                });
                let (node, end) = match rules.keys.get(guess) {
                    Some(key) if guess < BITS && key.literal.is_at(self.bytes, at) => {
                        let bit = 1 << guess;
                        if seen & bit != 0 {
                            return Err(Stop::Malformed);
                        }
                        seen |= bit;
                        behind = guess + 1;
                        (key.node, at + key.literal.len())
                    }
                    _ => {
                        let found = self.find_key(rules, at, base, &mut seen, behind)?;
                        match found.position {
                            Some(position) => {
                                behind = position + 1;
                                (rules.keys[position].node, found.end)
                            }
                            None => (rules.others.ok_or(Stop::Mismatch)?, found.end),
                        }
                    }
                };
                count += 1;
                at = self.space(end);
                at = self.value(node, at, depth)?;
                at = self.space(at);
                match self.byte(at) {
                    b',' => at = self.comma(at),
                    b'}' => break,
                    _ => return Err(Stop::Malformed),
                }
            }
            self.close_keys(base)?;
        }
        self.seen = seen;
        match rules.accept(seen, count) {
            true => Ok(at + 1),
            false => Err(Stop::Mismatch),
        }
    }

    /// A key that is not where it was expected.
    #[inline(never)]
    fn find_key(
        &mut self,
        rules: &ObjectRules,
        at: usize,
        base: usize,
        seen: &mut u64,
        behind: usize,
    ) -> Result<Found, Stop> {
        let (name, end) = self.key(at)?;
        let text = name.text(self.bytes);
        let position = rules.names.find(&text);
        match position {
            Some(position) if position < BITS => {
                let bit = 1 << position;
                if *seen & bit != 0 {
                    return Err(Stop::Malformed);
                }
                *seen |= bit;
                if let (Some(guess), Ok(position)) =
                    (rules.guesses.get(behind), u8::try_from(position))
                {
                    guess.store(position, Ordering::Relaxed);
                }
            }
            _ => {
                if position.is_none() && rules.others.is_none() {
                    return Err(Stop::Mismatch);
                }
                self.scratch.keys.push(self.bytes, base, name)?;
            }
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

    /// Looks whether a key of the object that ends was there twice, and forgets them.
    #[inline(always)]
    pub(super) fn close_keys(&mut self, base: usize) -> Result<(), Stop> {
        match self.scratch.keys.len() == base {
            true => Ok(()),
            false => self.scratch.keys.close(self.bytes, base),
        }
    }
}

impl ObjectRules {
    #[inline(always)]
    pub(in super::super) fn accept(&self, seen: u64, count: u32) -> bool {
        seen & self.required == self.required
            && self.min <= count
            && count <= self.max
            && self
                .conditions
                .iter()
                .all(|condition| condition.holds(seen))
    }
}
