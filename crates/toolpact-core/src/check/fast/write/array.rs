use serde::Serialize;
use serde::ser::{SerializeSeq, SerializeTuple, SerializeTupleStruct};

use super::{Check, Halt, LEVEL, Stop};
use crate::check::Note;
use crate::check::fast::program::{ANY, ArrayRules, types};
use crate::json::index::Shape;

/// An array that is being written.
pub(super) struct Array<'w, 'p, 's> {
    check: Check<'w, 'p, 's>,
    rules: Option<&'p ArrayRules>,
    count: u32,
    /// The offset where it begins.
    start: usize,
    entry: usize,
}

impl<'w, 'p, 's> Array<'w, 'p, 's> {
    #[inline]
    pub(super) fn open(check: Check<'w, 'p, 's>) -> Result<Self, Halt> {
        check.allow(types::ARRAY)?;
        check.writer.deeper()?;
        let start = check.writer.out.len();
        let entry = check.writer.entries.open(start, Shape::Array);
        check.writer.out.push(b'[');
        let program = check.writer.program;
        let rules = program.arrays.get(check.node.array as usize);
        if rules.is_some_and(|rules| rules.delegated.is_some()) {
            check.writer.needs_text += 1;
        }
        Ok(Self {
            rules,
            start,
            entry,
            check,
            count: 0,
        })
    }

    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Halt> {
        if self.count > 0 {
            self.check.writer.drop_text(self.start + 1);
            self.check.writer.out.push(b',');
        }
        let node = self.rules.map_or(ANY, |rules| {
            let own = rules.prefix.get(self.count as usize);
            own.copied().unwrap_or(rules.items)
        });
        self.count = self.count.checked_add(1).ok_or(Stop::Unsure)?;
        self.check.writer.value(node, value)
    }

    #[inline]
    fn close(self) -> Result<(), Halt> {
        let Self {
            check,
            rules,
            count,
            start,
            entry,
        } = self;
        if !rules.is_none_or(|rules| rules.min <= count && count <= rules.max) {
            return Err(Halt(Stop::Mismatch));
        }
        check.writer.out.push(b']');
        check.writer.entries.close(entry, check.writer.out.len());
        if let Some(delegated) = rules.and_then(|rules| rules.delegated.as_ref()) {
            check.writer.whole(delegated, start)?;
            check.writer.needs_text -= 1;
        }
        check.writer.drop_text(start);
        check.writer.depth += LEVEL;
        check.writer.note(check.node, Note::Array(count));
        Ok(())
    }
}

macro_rules! elements {
    ($($like:ident::$method:ident)*) => {$(
        impl $like for Array<'_, '_, '_> {
            type Ok = ();
            type Error = Halt;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Halt> {
                self.element(value)
            }

            #[inline]
            fn end(self) -> Result<(), Halt> {
                self.close()
            }
        }
    )*};
}

elements! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
}
