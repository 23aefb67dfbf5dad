//! Values that the rules of meaning ask about: checked like others, and noted.

use super::{Machine, Step, Stop};
use crate::check::fast::program::{Class, Node};

/// What is noted about a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Note<'a> {
    Boolean(bool),
    Integer(i64),
    /// The text between the quotes, without escapes.
    Text(&'a str),
    /// How many elements.
    Array(u32),
    Other,
}

/// Who makes use of the notes.
pub(crate) trait Observer {
    /// The value of a role has ended.
    fn note(&mut self, role: u8, note: Note<'_>);
}

impl<'a> Machine<'a> {
    #[inline(never)]
    pub(super) fn role(&mut self, role: u8, node: &'a Node, at: usize, depth: u32) -> Step {
        let class = self.class(at)?;
        let number = match class {
            // Rules of meaning are exact, and schemas are not, about numbers that are not plain.
            Class::Number => Some(self.plain_integer(at).ok_or(Stop::Unsure)?),
            _ => None,
        };
        let end = self.plain(node, at, depth)?;
        let note = match (class, number) {
            (Class::Boolean, _) => Note::Boolean(self.byte(at) == b't'),
            (_, Some(integer)) => Note::Integer(integer),
            (Class::String, _) => {
                let text = self.slice(at + 1, end - 1);
                if text.contains(&b'\\') {
                    return Err(Stop::Unsure);
                }
                Note::Text(std::str::from_utf8(text).unwrap_or_default())
            }
            (Class::Array, _) => Note::Array(self.count),
            _ => Note::Other,
        };
        let observed = &mut self.scratch.observed;
        observed.note(role, note);
        Ok(end)
    }

    fn plain_integer(&self, at: usize) -> Option<i64> {
        let rest = self.bytes.get(at..)?;
        let part_of_number = |b: &u8| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = rest.iter().take_while(|b| part_of_number(b)).count();
        std::str::from_utf8(rest.get(..length)?).ok()?.parse().ok()
    }
}
