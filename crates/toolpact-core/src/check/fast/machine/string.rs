//! Strings.

use std::borrow::Cow;

use super::keys::Name;
use super::{EndOffset, Machine, Stop, allow};
use crate::check::fast::program::{Node, types};
use crate::check::fast::string::{Only, StringRules};
use crate::json::scan;

/// A string that was read to its end.
#[derive(Clone, Copy)]
pub(super) struct Text {
    /// The offset after the closing quote.
    pub(super) end: usize,
    pub(super) escaped: bool,
}

impl<'a, const SPACED: bool> Machine<'a, SPACED> {
    /// A string whose quote is at `at`.
    #[inline(always)]
    pub(super) fn string(&mut self, node: &Node, at: usize) -> EndOffset {
        allow(node, types::STRING)?;
        let program = self.program;
        match program.strings.get(node.string as usize) {
            Some(rules) => self.ruled_string(rules, at),
            None => Ok(self.text(at)?.end),
        }
    }

    #[inline(never)]
    fn ruled_string(&mut self, rules: &StringRules, at: usize) -> EndOffset {
        if let (Only::Values, Some(values)) = (rules.only, &rules.values)
            && let Some(end) = values.end_of_one(self.bytes, at)
        {
            return Ok(end);
        }
        let text = self.text(at)?;
        self.reached = text.end;
        if let Some(delegated) = &rules.delegated {
            self.spend(delegated.cost_of_text(text.end - at))?;
        }
        let accepted = match (text.escaped, rules.only) {
            (true, _) => rules.accept(&Name::new(at, text).text(self.bytes)),
            (false, Only::Format(format)) => Some(format.holds(self.slice(at + 1, text.end - 1))),
            (false, _) => rules.accept(self.slice(at + 1, text.end - 1)),
        };
        match accepted {
            Some(true) => Ok(text.end),
            Some(false) => Err(Stop::Mismatch),
            None => Err(Stop::Unsure),
        }
    }

    /// The decoded name at `at`, and its end.
    pub(in super::super) fn name(&self, at: usize) -> Result<(Cow<'a, [u8]>, usize), Stop> {
        if self.byte(at) != b'"' {
            return Err(Stop::Mismatch);
        }
        let text = self.text(at)?;
        Ok((Name::new(at, text).text(self.bytes), text.end))
    }

    /// Finds the end of the string whose quote is at `at`, and validates its content.
    #[inline(always)]
    pub(super) fn text(&self, at: usize) -> Result<Text, Stop> {
        let start = at + 1;
        let mut at = start;
        // Most strings are short and end within these steps.
        for _ in 0..3 {
            match self.chunk(at).map(scan::quick) {
                Some(scan::Quick::End(more)) => {
                    return Ok(Text {
                        end: at + more + 1,
                        escaped: false,
                    });
                }
                Some(scan::Quick::Ordinary) => at += scan::STEP,
                Some(scan::Quick::Other) | None => break,
            }
        }
        self.long_text(start)
    }

    #[inline(never)]
    fn long_text(&self, start: usize) -> Result<Text, Stop> {
        let (mut at, mut unicode, mut escaped) = (start, false, false);
        let mut steps = 0;
        loop {
            if steps == scan::BEFORE_BLOCKS {
                let found = scan::blocks(self.bytes.get(at..).unwrap_or_default());
                unicode |= found.unicode;
                at += found.ordinary;
                steps = 0;
            }
            match self.chunk(at) {
                Some(chunk) => {
                    let found = scan::step(chunk);
                    unicode |= found.unicode;
                    at += found.ordinary;
                    if found.ordinary == scan::STEP {
                        steps += 1;
                        continue;
                    }
                    steps = 0;
                }
                None => {
                    while let Some(byte) = self.bytes.get(at).filter(|b| scan::is_ordinary(**b)) {
                        unicode |= !byte.is_ascii();
                        at += 1;
                    }
                }
            }
            match self.byte(at) {
                b'"' => break,
                b'\\' => {
                    at = self.escape(at)?;
                    escaped = true;
                }
                _ => return Err(Stop::Malformed),
            }
        }
        let inner = self.bytes.get(start..at).unwrap_or_default();
        if unicode && std::str::from_utf8(inner).is_err() {
            return Err(Stop::Malformed);
        }
        Ok(Text {
            end: at + 1,
            escaped,
        })
    }

    #[inline(always)]
    pub(super) fn chunk(&self, at: usize) -> Option<&'a [u8; scan::STEP]> {
        self.bytes.get(at..)?.first_chunk()
    }

    /// Where an escape that begins at `at` ends.
    fn escape(&self, at: usize) -> EndOffset {
        match self.byte(at + 1) {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(at + 2),
            b'u' => match (self.code_unit(at), self.code_unit(at + 6)) {
                (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => Ok(at + 12),
                (None | Some(0xD800..0xE000), _) => Err(Stop::Malformed),
                _ => Ok(at + 6),
            },
            _ => Err(Stop::Malformed),
        }
    }

    /// The code unit of a `\uXXXX` at `at`.
    fn code_unit(&self, at: usize) -> Option<u16> {
        let [b'\\', b'u', digits @ ..] = self.bytes.get(at..at + 6)? else {
            return None;
        };
        digits.iter().try_fold(0, |unit, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some(unit << 4 | u16::try_from(digit).ok()?)
        })
    }
}
