//! Objects: structs and maps.

use std::sync::atomic::{AtomicU8, Ordering};

use serde::ser::{Impossible, SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use super::{Check, Halt, LEVEL, Stop, text};
use crate::check::Note;
use crate::check::fast::program::{self, ANY, BITS, Key, NodeId, ObjectRules, types};
use crate::json::index::Shape;

/// A struct that is being written.
pub(super) struct Struct<'w, 'p, 's> {
    members: Members<'w, 'p, 's>,
    /// Where the keys of this struct begin in `Scratch::fields`.
    fields: usize,
}

/// A map that is being written.
pub(super) struct Object<'w, 'p, 's> {
    members: Members<'w, 'p, 's>,
    /// The node of the next value, whose key was written.
    node: NodeId,
}

/// Up to this many keys of a struct are compared pairwise, without a hash.
const FEW: usize = 24;

/// The name under which `serde_json` passes raw JSON.
const RAW: &str = "$serde_json::private::RawValue";

struct Members<'w, 'p, 's> {
    check: Check<'w, 'p, 's>,
    rules: Option<&'p ObjectRules>,
    /// The known keys that were written, as bits.
    seen: u64,
    /// The number of other keys.
    others: usize,
    /// The key that is likely to come next.
    next: Option<&'p AtomicU8>,
    /// Where the keys of this object begin in the scratch buffer.
    base: usize,
    is_empty: bool,
    /// The offset where it begins.
    start: usize,
    entry: usize,
}

/// A key, looked up in the rules.
enum Known<'p> {
    Key(usize, &'p Key),
    Other(NodeId),
}

impl<'w, 'p, 's> Members<'w, 'p, 's> {
    #[inline]
    fn open(check: Check<'w, 'p, 's>) -> Result<Self, Halt> {
        check.allow(types::OBJECT)?;
        check.writer.deeper()?;
        let start = check.writer.out.len();
        let entry = check.writer.entries.open(start, Shape::Object);
        check.writer.out.push(b'{');
        let program = check.writer.program;
        let rules = program.objects.get(check.node.object as usize);
        if rules.is_some_and(|rules| rules.delegated.is_some()) {
            check.writer.needs_text += 1;
        }
        Ok(Self {
            rules,
            seen: 0,
            others: 0,
            next: rules.map(|rules| &rules.first),
            base: check.writer.scratch.keys_open(),
            is_empty: true,
            start,
            entry,
            check,
        })
    }

    /// Looks up a key. The expected one is found at once.
    #[inline(always)]
    fn find(&mut self, key: &str) -> Result<Known<'p>, Halt> {
        let (Some(rules), Some(next)) = (self.rules, self.next) else {
            return Ok(Known::Other(ANY));
        };
        let guess = usize::from(next.load(Ordering::Relaxed));
        let position = match rules.keys.get(guess) {
            Some(known) if known.literal.is_key(key) => Some(guess),
            _ => Self::look_up(rules, next, key),
        };
        let Some((position, known)) = position.and_then(|p| Some((p, rules.keys.get(p)?))) else {
            return Ok(Known::Other(rules.others.ok_or(Stop::Mismatch)?));
        };
        self.next = Some(&known.next);
        Ok(Known::Key(position, known))
    }

    #[inline(never)]
    fn look_up(rules: &ObjectRules, next: &AtomicU8, key: &str) -> Option<usize> {
        let position = rules.names.find(key.as_bytes())?;
        if position < BITS {
            next.store(program::guess(position), Ordering::Relaxed);
        }
        Some(position)
    }

    #[inline(always)]
    fn comma(&mut self) {
        if !std::mem::take(&mut self.is_empty) {
            self.check.writer.out.push(b',');
        }
    }

    /// Writes a known key. Returns its node, or `None` if it has no bit to detect duplicates.
    #[inline(always)]
    fn known(&mut self, position: usize, key: &'p Key) -> Result<Option<NodeId>, Halt> {
        let text = key.literal.text();
        if position >= BITS || text.is_empty() {
            return Ok(None);
        }
        let bit = 1 << position;
        if self.seen & bit != 0 {
            return Err(Halt(Stop::Malformed));
        }
        self.seen |= bit;
        self.comma();
        let writer = &mut *self.check.writer;
        let start = writer.out.len();
        writer.out.extend_from_slice(text);
        // The text ends with a colon.
        let end = writer.out.len() - 1;
        writer.entries.leaf(start, end, Shape::Plain);
        Ok(Some(key.node))
    }

    /// Writes a key, and keeps it to detect duplicates.
    #[inline(never)]
    fn remembered(&mut self, key: &str) -> Result<(), Halt> {
        let quote = self.plain(key);
        let writer = &mut *self.check.writer;
        let end = writer.out.len() - 1;
        writer
            .scratch
            .remember_key(&writer.out, self.base, quote, end)?;
        Ok(())
    }

    /// Writes a key. Returns the offset where it begins.
    fn plain(&mut self, key: &str) -> usize {
        self.comma();
        let writer = &mut *self.check.writer;
        let start = writer.out.len();
        let shape = text::write(&mut writer.out, key);
        writer.index(start, shape);
        writer.out.push(b':');
        self.others += 1;
        start
    }

    /// Takes back a key whose value could not be written, if that is `None` itself and not something
    /// in it: then nothing was written from `start` on.
    #[cold]
    fn leave_out(
        &mut self,
        position: usize,
        key: &Key,
        start: usize,
        halt: Halt,
    ) -> Result<(), Halt> {
        let is_none = std::mem::take(&mut self.check.writer.left_out);
        if !is_none || self.check.writer.out.len() != start {
            return Err(halt);
        }
        let text = key.literal.text();
        if position >= BITS || text.is_empty() {
            return Err(Halt(Stop::Unsure));
        }
        self.seen &= !(1 << position);
        self.is_empty = self.seen == 0 && self.others == 0;
        let comma = usize::from(!self.is_empty);
        let out = &mut self.check.writer.out;
        out.truncate(out.len().saturating_sub(text.len() + comma));
        Ok(())
    }

    #[inline]
    fn close(self) -> Result<(), Halt> {
        let writer = self.check.writer;
        writer.scratch.forget_keys(&writer.out, self.base)?;
        if !self
            .rules
            .is_none_or(|rules| rules.accept(self.seen, self.others))
        {
            return Err(Halt(Stop::Mismatch));
        }
        writer.out.push(b'}');
        writer.entries.close(self.entry, writer.out.len());
        if let Some(delegated) = self.rules.and_then(|rules| rules.delegated.as_ref()) {
            writer.whole(delegated, self.start)?;
            writer.needs_text -= 1;
        }
        writer.drop_text(self.start);
        writer.depth += LEVEL;
        writer.note(self.check.node, Note::Other);
        Ok(())
    }
}

impl<'w, 'p, 's> Struct<'w, 'p, 's> {
    #[inline]
    pub(super) fn open(check: Check<'w, 'p, 's>, name: &'static str) -> Result<Self, Halt> {
        if name == RAW {
            return Err(Halt(Stop::Unsure));
        }
        let fields = check.writer.scratch.fields.len();
        Ok(Self {
            members: Members::open(check)?,
            fields,
        })
    }

    /// A key without rules. Compared by text: equal keys may have different addresses.
    #[inline(always)]
    fn other(&mut self, key: &'static str) -> Result<(), Halt> {
        let fields = &mut self.members.check.writer.scratch.fields;
        let known = fields.get(self.fields..).unwrap_or_default();
        if known.contains(&key) {
            return Err(Halt(Stop::Malformed));
        }
        if known.len() == FEW {
            return self.members.remembered(key);
        }
        fields.push(key);
        self.members.plain(key);
        Ok(())
    }
}

impl SerializeStruct for Struct<'_, '_, '_> {
    type Ok = ();
    type Error = Halt;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Halt> {
        let (position, known) = match self.members.find(key)? {
            Known::Key(position, known) => (position, known),
            Known::Other(node) => {
                self.other(key)?;
                return self.members.check.writer.value(node, value);
            }
        };
        if self.members.known(position, known)?.is_none() {
            self.members.remembered(key)?;
        }
        let start = self.members.check.writer.out.len();
        let written = self.members.check.writer.value(known.node, value);
        match written {
            Ok(()) => Ok(()),
            Err(halt) => self.members.leave_out(position, known, start, halt),
        }
    }

    #[inline]
    fn end(self) -> Result<(), Halt> {
        let fields = &mut self.members.check.writer.scratch.fields;
        fields.truncate(self.fields);
        self.members.close()
    }
}

impl<'w, 'p, 's> Object<'w, 'p, 's> {
    #[inline]
    pub(super) fn open(check: Check<'w, 'p, 's>) -> Result<Self, Halt> {
        Ok(Self {
            members: Members::open(check)?,
            node: ANY,
        })
    }

    fn key(&mut self, key: &str) -> Result<(), Halt> {
        self.node = match self.members.find(key)? {
            Known::Key(position, known) => {
                if self.members.known(position, known)?.is_none() {
                    self.members.remembered(key)?;
                }
                known.node
            }
            Known::Other(node) => {
                self.members.remembered(key)?;
                node
            }
        };
        Ok(())
    }
}

impl SerializeMap for Object<'_, '_, '_> {
    type Ok = ();
    type Error = Halt;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Halt> {
        key.serialize(MapKey(self))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Halt> {
        self.members.check.writer.value(self.node, value)
    }

    fn end(self) -> Result<(), Halt> {
        self.members.close()
    }
}

/// Map keys that are strings. Others are rare, and fall back to `serde_json`.
struct MapKey<'o, 'w, 'p, 's>(&'o mut Object<'w, 'p, 's>);

impl Serializer for MapKey<'_, '_, '_, '_> {
    type Ok = ();
    type Error = Halt;
    type SerializeSeq = Impossible<(), Halt>;
    type SerializeTuple = Impossible<(), Halt>;
    type SerializeTupleStruct = Impossible<(), Halt>;
    type SerializeTupleVariant = Impossible<(), Halt>;
    type SerializeMap = Impossible<(), Halt>;
    type SerializeStruct = Impossible<(), Halt>;
    type SerializeStructVariant = Impossible<(), Halt>;

    fn serialize_str(self, key: &str) -> Result<(), Halt> {
        self.0.key(key)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        key: &'static str,
    ) -> Result<(), Halt> {
        self.0.key(key)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        key: &T,
    ) -> Result<(), Halt> {
        key.serialize(self)
    }

    unusual! {
        serialize_bool(bool) -> (); serialize_i8(i8) -> (); serialize_i16(i16) -> ();
        serialize_i32(i32) -> (); serialize_i64(i64) -> (); serialize_u8(u8) -> ();
        serialize_u16(u16) -> (); serialize_u32(u32) -> (); serialize_u64(u64) -> ();
        serialize_f32(f32) -> (); serialize_f64(f64) -> (); serialize_char(char) -> ();
        serialize_bytes(&[u8]) -> (); serialize_none() -> (); serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Halt> {
        Err(Halt(Stop::Unsure))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Halt> {
        Err(Halt(Stop::Unsure))
    }
}
