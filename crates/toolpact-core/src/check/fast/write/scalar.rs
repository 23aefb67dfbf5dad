//! Scalars.

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter as _};

use super::{Absent, Check, Halt, Stop, text};
use crate::check::Note;
use crate::check::fast::program::{Extra, types};
use crate::json::index::Shape;

/// Integers below this in magnitude have up to 18 digits: plain integers for the rules.
const PLAIN: i64 = 1_000_000_000_000_000_000;

impl Check<'_, '_, '_> {
    #[inline]
    pub(super) fn null(self) -> Result<(), Halt> {
        self.allow(types::NULL)?;
        let start = self.writer.out.len();
        self.writer.out.extend_from_slice(b"null");
        self.writer.index(start, Shape::Null);
        self.writer.note(self.node, Note::Other);
        Ok(())
    }

    /// `None`. In a field of arguments, it can mean that the key is left out.
    #[inline]
    pub(super) fn none(self) -> Result<(), Halt> {
        if self.node.types & types::NULL == 0 {
            self.writer.left_out = self.writer.absent == Absent::IsLeftOut;
        }
        self.null()
    }

    /// A number that JSON does not have. `serde_json` writes null, which as an argument would mean
    /// something else.
    #[cold]
    pub(super) fn not_finite(self) -> Result<(), Halt> {
        match self.writer.absent {
            Absent::IsNull => self.null(),
            Absent::IsLeftOut => Err(Halt(Stop::Unsure)),
        }
    }

    #[inline]
    pub(super) fn boolean(self, value: bool) -> Result<(), Halt> {
        let (found, text): (_, &[u8]) = match value {
            true => (types::TRUE, b"true"),
            false => (types::FALSE, b"false"),
        };
        self.allow(found)?;
        let start = self.writer.out.len();
        self.writer.out.extend_from_slice(text);
        self.writer.index(start, Shape::Bool);
        self.writer.note(self.node, Note::Boolean(value));
        Ok(())
    }

    #[inline]
    pub(super) fn integer(self, value: i64) -> Result<(), Halt> {
        if !(-PLAIN < value && value < PLAIN) {
            return self.number(&value);
        }
        self.allow(types::WHOLE)?;
        let program = self.writer.program;
        if let Some(rules) = program.numbers.get(self.node.number as usize) {
            if rules.only_delegated {
                return self.number(&value);
            }
            if !rules.accepts_integer(value) {
                return Err(Halt(Stop::Mismatch));
            }
        }
        let start = self.writer.out.len();
        CompactFormatter
            .write_i64(&mut self.writer.out, value)
            .map_err(|_| Stop::Unsure)?;
        self.writer.index(start, Shape::Number);
        self.writer.note(self.node, Note::Integer(value));
        Ok(())
    }

    #[inline]
    pub(super) fn float(self, value: f64) -> Result<(), Halt> {
        let is_free = self.node.types & types::NUMBER == types::NUMBER
            && self
                .writer
                .program
                .numbers
                .get(self.node.number as usize)
                .is_none()
            && self.node.extra == Extra::Nothing;
        match is_free {
            true => {
                let start = self.writer.out.len();
                CompactFormatter
                    .write_f64(&mut self.writer.out, value)
                    .map_err(|_| Stop::Unsure)?;
                self.writer.index(start, Shape::Number);
                Ok(())
            }
            false => self.number(&value),
        }
    }

    /// Checks any number by its text.
    #[inline(never)]
    pub(super) fn number<T: Serialize>(self, value: &T) -> Result<(), Halt> {
        // Rules of meaning are exact about numbers that are not plain; schemas are not.
        if self.node.extra != Extra::Nothing {
            return Err(Halt(Stop::Unsure));
        }
        let start = self.writer.out.len();
        serde_json::to_writer(&mut self.writer.out, value).map_err(|_| Stop::Unsure)?;
        self.writer.index(start, Shape::Number);
        let node = self.node;
        self.writer
            .read_again(start, |machine, _| machine.number(node, 0))
    }

    #[inline]
    pub(super) fn string(self, value: &str) -> Result<(), Halt> {
        self.allow(types::STRING)?;
        let program = self.writer.program;
        if let Some(rules) = program.strings.get(self.node.string as usize) {
            match rules.accept(value.as_bytes()) {
                Some(true) => {}
                Some(false) => return Err(Halt(Stop::Mismatch)),
                None => return Err(Halt(Stop::Unsure)),
            }
        }
        if self.writer.needs_text != 0 {
            let start = self.writer.out.len();
            let shape = text::write(&mut self.writer.out, value);
            self.writer.index(start, shape);
        }
        self.writer.note(self.node, Note::Text(value.as_bytes()));
        Ok(())
    }

    #[inline(always)]
    pub(super) fn allow(&self, found: u8) -> Result<(), Halt> {
        match self.node.types & found {
            0 => Err(Halt(Stop::Mismatch)),
            _ => Ok(()),
        }
    }
}
