//! Serializes a typed value as JSON and checks it while writing: the same program, run by a
//! serializer instead of a reader.

/// Types that fall back to `serde_json`, and are checked after that.
macro_rules! unusual {
    ($($name:ident($($type:ty),*) -> $ok:ty;)*) => {
        $(fn $name(self, $(_: $type),*) -> Result<$ok, Halt> {
            Err(Halt(Stop::Unsure))
        })*
    };
}

mod array;
mod index;
mod object;
mod scalar;
mod text;

use std::fmt;
use std::sync::atomic::Ordering;

use serde::ser::Impossible;
use serde::{Serialize, Serializer};

use super::delegated::Delegated;
use super::machine::{DEPTH, LEVEL, LONGEST, Machine, Scratch, Stop};
use super::program::{Extra, Node, NodeId, Program, types};
use crate::check::{Note, Observer as _};
use crate::json::Value;
use crate::json::index::Shape;

use array::Array;
use index::Entries;
use object::{Object, Struct};

/// The upper bound of the initial capacity.
const LONGEST_GUESS: usize = 1 << 16;

impl Program {
    /// Writes a value. If this stops, the output so far is meaningless.
    pub(crate) fn write<T: Serialize + ?Sized>(
        &self,
        value: &T,
        scratch: &mut Scratch,
    ) -> Result<Vec<u8>, Stop> {
        let writer = Writer::new(self, scratch, Absent::IsNull);
        Ok(self.write_whole(value, writer)?.out)
    }

    /// The same as a [`Value`], whose index is made while it is written.
    pub(crate) fn write_value<T: Serialize + ?Sized>(
        &self,
        value: &T,
        scratch: &mut Scratch,
    ) -> Result<Value, Stop> {
        let mut writer = Writer::new(self, scratch, Absent::IsNull);
        writer.entries = Entries::made();
        let writer = self.write_whole(value, writer)?;
        let text = String::from_utf8(writer.out).map_err(|_| Stop::Unsure)?;
        Ok(Value::indexed(text.into(), writer.entries.into_vec()))
    }

    /// The same for arguments: a key without a value is left out where null is not allowed.
    pub(crate) fn write_args<T: Serialize + ?Sized>(
        &self,
        args: &T,
        scratch: &mut Scratch,
    ) -> Result<Vec<u8>, Stop> {
        let writer = Writer::new(self, scratch, Absent::IsLeftOut);
        Ok(self.write_whole(args, writer)?.out)
    }

    /// Whether arguments are valid, as [`write_args`](Self::write_args) would write them. Of their text
    /// no more is made than a rule has to look at.
    pub(crate) fn check_args<T: Serialize + ?Sized>(
        &self,
        args: &T,
        scratch: &mut Scratch,
    ) -> Result<(), Stop> {
        let root = self.nodes.get(self.root as usize).ok_or(Stop::Unsure)?;
        // Arguments are an object, whatever a schema says; here nobody would see what was written.
        if root.types != types::OBJECT {
            return Err(Stop::Unsure);
        }
        let mut writer = Writer::new(self, scratch, Absent::IsLeftOut);
        writer.needs_text = 0;
        writer.value(self.root, args).map_err(|Halt(stop)| stop)
    }

    fn write_whole<'p, 's, T: Serialize + ?Sized>(
        &'p self,
        value: &T,
        mut writer: Writer<'p, 's>,
    ) -> Result<Writer<'p, 's>, Stop> {
        // The next text is likely to be as long as the last one.
        let length = self.length.load(Ordering::Relaxed);
        writer.out = Vec::with_capacity(length.clamp(64, LONGEST_GUESS));
        writer.value(self.root, value).map_err(|Halt(stop)| stop)?;
        self.length.store(writer.out.len(), Ordering::Relaxed);
        match writer.out.len() > LONGEST {
            // The explain path has limits of its own.
            true => Err(Stop::Unsure),
            false => Ok(writer),
        }
    }
}

/// What `None` in a field means where null is not allowed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Absent {
    /// Null, which is a mismatch.
    IsNull,
    /// That the key is left out.
    IsLeftOut,
}

/// The state of the writer.
struct Writer<'p, 's> {
    program: &'p Program,
    scratch: &'s mut Scratch,
    out: Vec<u8>,
    entries: Entries,
    /// The remaining depth.
    depth: u32,
    absent: Absent,
    /// Whether writing has stopped at a `None` that can be left out.
    left_out: bool,
    /// How many look at the text: the caller, and rules about an array or object that is open. If
    /// none does, it is dropped on the way.
    needs_text: u32,
}

impl<'p, 's> Writer<'p, 's> {
    fn new(program: &'p Program, scratch: &'s mut Scratch, absent: Absent) -> Self {
        scratch.reset(program);
        Self {
            program,
            scratch,
            out: Vec::new(),
            entries: Entries::default(),
            depth: DEPTH,
            absent,
            left_out: false,
            needs_text: 1,
        }
    }
}

impl Writer<'_, '_> {
    #[inline]
    fn value<T: Serialize + ?Sized>(&mut self, id: NodeId, value: &T) -> Result<(), Halt> {
        let program = self.program;
        let node = program.nodes.get(id as usize).ok_or(Stop::Unsure)?;
        match node.extra {
            Extra::Choice(_) => self.written(id, value),
            Extra::Nothing | Extra::Role(_) => value.serialize(Check { writer: self, node }),
        }
    }

    /// Writes a value with `serde_json` and checks the text, for alternatives.
    #[inline(never)]
    fn written<T: Serialize + ?Sized>(&mut self, id: NodeId, value: &T) -> Result<(), Halt> {
        let start = self.out.len();
        serde_json::to_writer(&mut self.out, value).map_err(|_| Stop::Unsure)?;
        if self.absent == Absent::IsLeftOut && has_null(self.out.get(start..).unwrap_or_default()) {
            return Err(Halt(Stop::Unsure));
        }
        self.read_again(start, |machine, depth| machine.value(id, 0, depth))?;
        self.entries.read(&self.out, start)?;
        self.drop_text(start);
        Ok(())
    }

    /// Drops the text from `start` on, if nobody looks at it.
    #[inline(always)]
    fn drop_text(&mut self, start: usize) {
        if self.needs_text == 0 {
            self.out.truncate(start);
        }
    }

    /// Checks the text that was written from `start` on.
    fn read_again(
        &mut self,
        start: usize,
        check: impl FnOnce(&mut Machine<'_>, u32) -> Result<usize, Stop>,
    ) -> Result<(), Halt> {
        let written = self.out.get(start..).unwrap_or_default();
        let aside = self.scratch.put_aside();
        let mut machine = Machine::new(self.program, written, self.scratch)?;
        let result = check(&mut machine, self.depth);
        self.scratch.take_back(aside);
        match result? == self.out.len() - start {
            true => Ok(()),
            false => Err(Halt(Stop::Unsure)),
        }
    }

    /// Checks the delegated keywords of a value that was written from `start` on.
    fn whole(&mut self, delegated: &Delegated, start: usize) -> Result<(), Halt> {
        match delegated.accepts_json(self.out.get(start..).unwrap_or_default()) {
            Some(true) => Ok(()),
            Some(false) => Err(Halt(Stop::Mismatch)),
            None => Err(Halt(Stop::Unsure)),
        }
    }

    /// Adds what was written from `start` on to the index.
    #[inline(always)]
    fn index(&mut self, start: usize, shape: Shape) {
        self.entries.leaf(start, self.out.len(), shape);
    }

    /// Notes a value that has a role.
    #[inline(always)]
    fn note(&mut self, node: &Node, about: Note<'_>) {
        if let Extra::Role(role) = node.extra {
            self.scratch.observed_mut().note(role, about);
        }
    }

    #[inline(always)]
    fn deeper(&mut self) -> Result<(), Halt> {
        self.depth = self.depth.checked_sub(LEVEL).ok_or(Stop::Unsure)?;
        Ok(())
    }
}

/// Whether a text may have a null in it: a value that is absent, or a number that JSON does not have.
fn has_null(json: &[u8]) -> bool {
    std::str::from_utf8(json).is_ok_and(|json| json.contains("null"))
}

/// Why writing stops, as the error type that serde requires.
#[derive(Debug)]
struct Halt(Stop);

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self(stop)
    }
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value is not what the schema asks for")
    }
}

impl std::error::Error for Halt {}

impl serde::ser::Error for Halt {
    /// The fallback to `serde_json` reports this error, with its message.
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(Stop::Unsure)
    }
}

/// Serializes a value at a node.
struct Check<'w, 'p, 's> {
    writer: &'w mut Writer<'p, 's>,
    node: &'p Node,
}

macro_rules! integers {
    ($($name:ident($type:ty))*) => {
        $(#[inline]
        fn $name(self, value: $type) -> Result<(), Halt> {
            self.integer(i64::from(value))
        })*
    };
}

impl<'w, 'p, 's> Serializer for Check<'w, 'p, 's> {
    type Ok = ();
    type Error = Halt;
    type SerializeSeq = Array<'w, 'p, 's>;
    type SerializeTuple = Array<'w, 'p, 's>;
    type SerializeTupleStruct = Array<'w, 'p, 's>;
    type SerializeTupleVariant = Impossible<(), Halt>;
    type SerializeMap = Object<'w, 'p, 's>;
    type SerializeStruct = Struct<'w, 'p, 's>;
    type SerializeStructVariant = Impossible<(), Halt>;

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Halt> {
        self.boolean(value)
    }

    integers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32)
    }

    #[inline]
    fn serialize_u64(self, value: u64) -> Result<(), Halt> {
        match i64::try_from(value) {
            Ok(value) => self.integer(value),
            Err(_) => self.number(&value),
        }
    }

    fn serialize_i128(self, value: i128) -> Result<(), Halt> {
        self.number(&value)
    }

    fn serialize_u128(self, value: u128) -> Result<(), Halt> {
        self.number(&value)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Halt> {
        match value.is_finite() {
            true => self.number(&value),
            false => self.not_finite(),
        }
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<(), Halt> {
        match value.is_finite() {
            true => self.float(value),
            false => self.not_finite(),
        }
    }

    fn serialize_char(self, value: char) -> Result<(), Halt> {
        self.string(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Halt> {
        self.string(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Halt> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Halt> {
        self.none()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Halt> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<(), Halt> {
        self.null()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Halt> {
        self.null()
    }

    #[inline]
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Halt> {
        self.string(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Halt> {
        value.serialize(self)
    }

    // Enums with data fall back to `serde_json`, and are checked after that.
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Halt> {
        Err(Halt(Stop::Unsure))
    }

    unusual! {
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeTupleVariant;
        serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeStructVariant;
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Array<'w, 'p, 's>, Halt> {
        Array::open(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Array<'w, 'p, 's>, Halt> {
        Array::open(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Array<'w, 'p, 's>, Halt> {
        Array::open(self)
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Object<'w, 'p, 's>, Halt> {
        Object::open(self)
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Struct<'w, 'p, 's>, Halt> {
        Struct::open(self, name)
    }
}
