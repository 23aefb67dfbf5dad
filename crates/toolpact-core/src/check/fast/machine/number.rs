//! Numbers.

use super::{EndOffset, Machine, Stop, allow};
use crate::check::fast::number::{NumberRules, is_whole};
use crate::check::fast::program::{Node, types};

/// Integers of up to this many digits fit in 64 bits.
const PLAIN_DIGITS: usize = 18;
/// Numbers of up to this many digits are distinct as 64-bit floats.
const EXACT_DIGITS: usize = 15;
/// Numbers of up to this many integer digits are finite as 64-bit floats.
const FINITE_DIGITS: usize = 308;

const POWERS: [f64; EXACT_DIGITS + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

impl<'a, const SPACED: bool> Machine<'a, SPACED> {
    #[inline(always)]
    pub(in super::super) fn number(&mut self, node: &Node, at: usize) -> EndOffset {
        let negative = self.byte(at) == b'-';
        let start = at + usize::from(negative);
        let (end, magnitude) = self.digits(start, 0);
        let digits = end - start;
        if digits > PLAIN_DIGITS || matches!(self.byte(end), b'.' | b'e' | b'E') {
            return self.other_number(node, at, start, end, magnitude);
        }
        if digits == 0 || digits > 1 && self.byte(start) == b'0' {
            return Err(Stop::Malformed);
        }
        allow(node, types::WHOLE)?;
        let program = self.program;
        if let Some(rules) = program.numbers.get(node.number as usize) {
            let integer = magnitude.cast_signed();
            let integer = if negative { -integer } else { integer };
            if rules.only_delegated {
                return self.unusual_number(node, at, end);
            }
            if !rules.accepts_integer(integer) {
                return Err(Stop::Mismatch);
            }
        }
        Ok(end)
    }

    /// Reads the digits that follow those of `number`.
    #[inline(always)]
    fn digits(&self, mut at: usize, mut number: u64) -> (usize, u64) {
        loop {
            let digit = self.byte(at).wrapping_sub(b'0');
            if digit > 9 {
                return (at, number);
            }
            number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
    }

    /// A number with a fraction, an exponent or many digits. Its integer digits are `start..end`.
    #[inline(never)]
    fn other_number(
        &mut self,
        node: &Node,
        at: usize,
        start: usize,
        end: usize,
        magnitude: u64,
    ) -> EndOffset {
        let before = end - start;
        if before == 0 || before > 1 && self.byte(start) == b'0' {
            return Err(Stop::Malformed);
        }
        let (mut end, mut after, mut mantissa) = (end, 0, magnitude);
        if self.byte(end) == b'.' {
            let first = end + 1;
            (end, mantissa) = self.digits(first, magnitude);
            after = end - first;
            if after == 0 {
                return Err(Stop::Malformed);
            }
        }
        let is_exact = before + after <= EXACT_DIGITS;
        self.reached = end;
        if matches!(self.byte(end), b'e' | b'E') {
            end = self.exponent(end)?;
            self.reached = end;
            self.finite(at, end)?;
            return self.unusual_number(node, at, end);
        }
        if before > FINITE_DIGITS {
            self.finite(at, end)?;
        }
        if node.types & types::NUMBER == types::NUMBER && self.number_rules(node).is_none() {
            return Ok(end);
        }
        if !is_exact {
            return self.unusual_number(node, at, end);
        }
        self.decimal(node, at, end, (mantissa, after))
    }

    /// A decimal number of few digits: the mantissa, and the number of fraction digits.
    fn decimal(
        &mut self,
        node: &Node,
        at: usize,
        end: usize,
        (mantissa, after): (u64, usize),
    ) -> EndOffset {
        let whole = mantissa % 10_u64.pow(u32::try_from(after).unwrap_or(0)) == 0;
        allow(node, if whole { types::WHOLE } else { types::FRACTION })?;
        let Some(rules) = self.number_rules(node) else {
            return Ok(end);
        };
        let floats = rules.floats.as_ref().filter(|_| !rules.only_delegated);
        let (Some(floats), Some(power)) = (floats, POWERS.get(after)) else {
            return self.unusual_number(node, at, end);
        };
        // Both operands are exact, so the quotient is the nearest float.
        #[expect(clippy::cast_precision_loss, reason = "at most 15 digits")]
        let number = mantissa as f64 / power;
        let number = if self.byte(at) == b'-' {
            -number
        } else {
            number
        };
        match floats.accept(number) {
            true => Ok(end),
            false => Err(Stop::Mismatch),
        }
    }

    fn exponent(&self, at: usize) -> EndOffset {
        let sign = usize::from(matches!(self.byte(at + 1), b'+' | b'-'));
        let start = at + 1 + sign;
        let (end, _) = self.digits(start, 0);
        match end == start {
            true => Err(Stop::Malformed),
            false => Ok(end),
        }
    }

    fn finite(&self, at: usize, end: usize) -> Result<(), Stop> {
        let text = std::str::from_utf8(self.slice(at, end)).unwrap_or_default();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(()),
            _ => Err(Stop::Malformed),
        }
    }

    #[cold]
    fn unusual_number(&mut self, node: &Node, at: usize, end: usize) -> EndOffset {
        let text = self.slice(at, end);
        let whole = is_whole(text).ok_or(Stop::Unsure)?;
        allow(node, if whole { types::WHOLE } else { types::FRACTION })?;
        let rules = self.number_rules(node);
        self.spend(rules.map_or(0, NumberRules::cost_of_text))?;
        match rules.map_or(Some(true), |rules| rules.accepts_text(text)) {
            Some(true) => Ok(end),
            Some(false) => Err(Stop::Mismatch),
            None => Err(Stop::Unsure),
        }
    }

    fn number_rules(&self, node: &Node) -> Option<&'a NumberRules> {
        let program = self.program;
        program.numbers.get(node.number as usize)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }
}
