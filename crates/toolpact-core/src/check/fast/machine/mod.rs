//! Runs a program over a JSON text: strict reading and checking in one pass, without a tree.
//!
//! All of this is optimised for valid text. Anything else ends with a [`Stop`], and the explain
//! path says why.

mod any;
mod array;
mod choice;
mod keys;
mod number;
mod object;
mod role;
mod space;
mod string;

use std::cell::RefCell;

use super::literal::Literal;
use super::program::{Class, Extra, NONE, Node, NodeId, Program, types};
use crate::returns::Observed;

use any::Shapes;
use keys::{Keys, Name};
use string::Text;

pub(crate) use role::{Note, Observer};
pub(super) use space::is_spaced;

/// Why a text is not accepted.
///
/// As wide as an offset, so that a `EndOffset` is returned in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Stop {
    /// It does not satisfy the schema.
    Mismatch,
    /// It is not JSON that our readers accept.
    Malformed,
    /// The explain path has to decide.
    Unsure,
}

/// The verdict of a run; `None` if it leaves the decision to the explain path.
pub(crate) fn verdict<T>(run: &Result<T, Stop>) -> Option<bool> {
    match run {
        Ok(_) => Some(true),
        Err(Stop::Mismatch | Stop::Malformed) => Some(false),
        Err(Stop::Unsure) => None,
    }
}

/// The offset where a value ends.
pub(super) type EndOffset = Result<usize, Stop>;

/// How much of the depth one level of nesting uses.
pub(super) const LEVEL: u32 = 8;

/// The deepest nesting, which bounds the stack: 127 levels, because the explain path reads no
/// deeper, or fewer where nested alternatives use some of it.
pub(super) const DEPTH: u32 = 127 * LEVEL;

/// The longest text, because offsets are kept in 32 bits.
pub(super) const LONGEST: usize = 1 << 30;

/// The scratch buffers. They are reused between texts.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    keys: Keys,
    shapes: Shapes,
    observed: Observed,
    /// The keys without rules of the structs that are being written.
    pub(super) fields: Vec<&'static str>,
}

impl Scratch {
    /// Drops the state of the previous text, except the notes.
    pub(super) fn reset(&mut self, program: &Program) {
        self.keys.clear();
        self.fields.clear();
        self.shapes.reset(program.sites);
    }

    /// How many keys of open objects are kept.
    pub(super) fn keys_open(&self) -> usize {
        self.keys.len()
    }

    /// Keeps a key whose quotes are at `open` and just before `end`.
    pub(super) fn remember_key(
        &mut self,
        bytes: &[u8],
        base: usize,
        open: usize,
        end: usize,
    ) -> Result<(), Stop> {
        if end > LONGEST {
            return Err(Stop::Unsure);
        }
        let inner = bytes.get(open + 1..end - 1).unwrap_or_default();
        let text = Text {
            end,
            escaped: inner.contains(&b'\\'),
        };
        self.keys.push(bytes, base, Name::new(open, text))
    }

    /// Checks the keys from `base` on for duplicates, and drops them.
    #[inline(always)]
    pub(super) fn forget_keys(&mut self, bytes: &[u8], base: usize) -> Result<(), Stop> {
        match self.keys.len() == base {
            true => Ok(()),
            false => self.keys.close(bytes, base),
        }
    }

    /// Sets the keys of open objects aside while another text is read.
    pub(super) fn put_aside(&mut self) -> (Keys, Vec<&'static str>) {
        (
            std::mem::take(&mut self.keys),
            std::mem::take(&mut self.fields),
        )
    }

    pub(super) fn take_back(&mut self, aside: (Keys, Vec<&'static str>)) {
        (self.keys, self.fields) = aside;
    }

    /// The notes for the rules of meaning.
    pub(crate) fn observed(&self) -> &Observed {
        &self.observed
    }

    pub(crate) fn observed_mut(&mut self) -> &mut Observed {
        &mut self.observed
    }
}

/// Lends the scratch buffers of this thread, or new ones if they are in use.
#[inline]
pub(crate) fn with_scratch<T>(use_it: impl FnOnce(&mut Scratch) -> T) -> T {
    thread_local! {
        static SCRATCH: RefCell<Scratch> = RefCell::default();
    }
    SCRATCH.with(|scratch| match scratch.try_borrow_mut() {
        Ok(mut scratch) => use_it(&mut scratch),
        Err(_) => use_it(&mut Scratch::default()),
    })
}

/// Reads and checks one text.
///
/// Both variants accept the same texts and differ in speed: `SPACED` skips white space before each
/// token, the other one only where it finds an unexpected byte.
pub(super) struct Machine<'a, const SPACED: bool = false> {
    program: &'a Program,
    bytes: &'a [u8],
    scratch: &'a mut Scratch,
    /// The keys of the last object that ended, as bits.
    seen: u64,
    /// The number of elements of the last array that ended.
    count: u32,
    /// The remaining budget of bytes to read for alternatives.
    fuel: usize,
    /// How far the text was read. Every byte read before a mismatch must be counted, or
    /// alternatives could reread it without limit.
    reached: usize,
}

#[cfg(test)]
thread_local! {
    /// How often this thread ran a program over a text, for tests that count runs.
    pub(crate) static RUNS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl Program {
    /// Checks a whole text.
    pub(crate) fn run(&self, bytes: &[u8], scratch: &mut Scratch) -> Result<(), Stop> {
        #[cfg(test)]
        RUNS.set(RUNS.get() + 1);
        match is_spaced(bytes) {
            true => Machine::<true>::new(self, bytes, scratch)?.whole_text(),
            false => Machine::<false>::new(self, bytes, scratch)?.whole_text(),
        }
    }
}

impl<'a, const SPACED: bool> Machine<'a, SPACED> {
    pub(super) fn new(
        program: &'a Program,
        bytes: &'a [u8],
        scratch: &'a mut Scratch,
    ) -> Result<Self, Stop> {
        if bytes.len() > LONGEST {
            return Err(Stop::Unsure);
        }
        scratch.reset(program);
        Ok(Self {
            program,
            bytes,
            scratch,
            seen: 0,
            count: 0,
            fuel: choice::fuel(bytes.len()),
            reached: 0,
        })
    }

    fn whole_text(mut self) -> Result<(), Stop> {
        let at = self.space(0);
        let end = self.value(self.program.root, at, DEPTH)?;
        self.end(end)
    }

    /// Checks that only white space is left.
    pub(super) fn end(&self, at: usize) -> Result<(), Stop> {
        match self.space(at) == self.bytes.len() {
            true => Ok(()),
            false => Err(Stop::Malformed),
        }
    }

    /// A value at `at`, or after white space there. Scalars are checked inline, everything else is
    /// dispatched to a function.
    #[inline(always)]
    pub(super) fn value(&mut self, id: NodeId, at: usize, depth: u32) -> EndOffset {
        let program = self.program;
        let Some(node) = program.nodes.get(id as usize) else {
            return Err(Stop::Unsure);
        };
        match node.extra {
            Extra::Nothing => self.plain(node, at, depth),
            Extra::Choice(choice) => self.choice(choice, at, depth),
            Extra::Role(role) => self.role(role, node, self.space(at), depth),
        }
    }

    #[inline(always)]
    fn plain(&mut self, node: &'a Node, at: usize, depth: u32) -> EndOffset {
        let at = if SPACED { self.token(at) } else { at };
        match self.byte(at) {
            b'"' => self.string(node, at),
            b'{' => self.any_or_object(node, at, depth),
            b'[' => self.any_or_array(node, at, depth),
            b'-' | b'0'..=b'9' => self.number(node, at),
            b' ' | b'\n' | b'\r' | b'\t' => self.after_space(node, at, depth),
            _ => self.literal(node, at),
        }
    }

    /// The same after unexpected white space.
    #[inline(never)]
    fn after_space(&mut self, node: &'a Node, at: usize, depth: u32) -> EndOffset {
        let at = self.token(at);
        self.plain(node, at, depth)
    }

    #[inline(always)]
    fn literal(&self, node: &Node, at: usize) -> EndOffset {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let (found, length) = if rest.starts_with(b"true") {
            (types::TRUE, 4)
        } else if rest.starts_with(b"false") {
            (types::FALSE, 5)
        } else if rest.starts_with(b"null") {
            (types::NULL, 4)
        } else {
            return Err(Stop::Malformed);
        };
        allow(node, found)?;
        Ok(at + length)
    }

    #[inline(always)]
    fn any_or_object(&mut self, node: &Node, at: usize, depth: u32) -> EndOffset {
        allow(node, types::OBJECT)?;
        let program = self.program;
        match program.objects.get(node.object as usize) {
            Some(rules) => self.object(rules, at, depth),
            None => self.free_object(at, depth, node.site),
        }
    }

    #[inline(always)]
    fn any_or_array(&mut self, node: &Node, at: usize, depth: u32) -> EndOffset {
        allow(node, types::ARRAY)?;
        let program = self.program;
        match program.arrays.get(node.array as usize) {
            Some(rules) => self.array(rules, at, depth),
            None => self.any_array(at, depth, node.site),
        }
    }

    /// The byte at `at`; zero, which no JSON contains, past the end.
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    #[inline(always)]
    pub(super) fn is_at(&self, literal: &Literal, at: usize) -> bool {
        literal.is_at(self.bytes, at)
    }

    fn class(&self, at: usize) -> Result<Class, Stop> {
        Class::of(self.byte(at)).ok_or(Stop::Malformed)
    }
}

#[inline(always)]
fn allow(node: &Node, found: u8) -> Result<(), Stop> {
    match node.types & found {
        0 => Err(Stop::Mismatch),
        _ => Ok(()),
    }
}

/// One level deeper.
#[inline(always)]
fn deeper(depth: u32) -> Result<u32, Stop> {
    match depth < LEVEL {
        true => Err(Stop::Unsure),
        false => Ok(depth - LEVEL),
    }
}

const _: () = assert!(NONE as usize > LONGEST);
