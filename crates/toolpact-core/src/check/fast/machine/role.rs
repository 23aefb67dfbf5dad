//! Values that rules of meaning need: checked like others, and noted.

use super::{EndOffset, Machine, Stop};
use crate::check::fast::program::Node;
use crate::returns::Role;

/// What is noted about a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Note<'a> {
    Boolean(bool),
    Integer(i64),
    /// The text between the quotes of a string without escapes.
    Text(&'a [u8]),
    /// The number of elements.
    Array(u32),
    Other,
}

/// Receives the notes.
pub(crate) trait Observer {
    /// Called when the value of a role ends.
    fn note(&mut self, role: Role, note: Note<'_>);
}

impl<'a, const SPACED: bool> Machine<'a, SPACED> {
    #[inline(never)]
    pub(super) fn role(&mut self, role: Role, node: &'a Node, at: usize, depth: u32) -> EndOffset {
        let (end, noted) = match self.byte(at) {
            b't' => (self.literal(node, at)?, Note::Boolean(true)),
            b'f' => (self.literal(node, at)?, Note::Boolean(false)),
            b'{' => (self.any_or_object(node, at, depth)?, Note::Other),
            b'[' => {
                let end = self.any_or_array(node, at, depth)?;
                (end, Note::Array(self.count))
            }
            b'"' => {
                let end = self.string(node, at)?;
                let text = self.slice(at + 1, end - 1);
                if memchr::memchr(b'\\', text).is_some() {
                    return Err(Stop::Unsure);
                }
                (end, Note::Text(text))
            }
            b'-' | b'0'..=b'9' => {
                // Rules of meaning are exact about numbers that are not plain; schemas are not.
                let integer = self.plain_integer(at).ok_or(Stop::Unsure)?;
                (self.number(node, at)?, Note::Integer(integer))
            }
            _ => (self.literal(node, at)?, Note::Other),
        };
        self.scratch.observed.note(role, noted);
        Ok(end)
    }

    fn plain_integer(&self, at: usize) -> Option<i64> {
        let rest = self.bytes.get(at..)?;
        let part_of_number = |b: &u8| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = rest.iter().take_while(|b| part_of_number(b)).count();
        std::str::from_utf8(rest.get(..length)?).ok()?.parse().ok()
    }
}
