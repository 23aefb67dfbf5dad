//! Runs a program over a JSON text: strict reading and checking in one pass, without a tree.
//!
//! Everything here is written for the text that is valid. What is not ends with a [`Stop`], and the
//! other path says why.

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
/// As wide as a place in the text, so that either of them comes back in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Stop {
    /// It is not what the schema asks for.
    Mismatch,
    /// It is not JSON as our readers take it.
    Malformed,
    /// The other path has to decide.
    Unsure,
}

/// What a run says; `None` if it leaves the verdict to the other path.
pub(crate) fn verdict<T>(run: &Result<T, Stop>) -> Option<bool> {
    match run {
        Ok(_) => Some(true),
        Err(Stop::Mismatch | Stop::Malformed) => Some(false),
        Err(Stop::Unsure) => None,
    }
}

/// Where a value ends.
pub(super) type Step = Result<usize, Stop>;

/// What a level of nesting takes of the depth.
pub(super) const LEVEL: u32 = 8;

/// The deepest nesting, which is a depth of the stack: 127 levels, because the explain path reads no
/// deeper, or fewer where alternatives inside of alternatives take their share.
pub(super) const DEPTH: u32 = 127 * LEVEL;

/// The longest text, because places in it are kept in 32 bits.
pub(super) const LONGEST: usize = 1 << 30;

/// Room for what has to be remembered on the way. It is kept between texts.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    keys: Keys,
    shapes: Shapes,
    observed: Observed,
    /// The keys of the structs that are being written and that no rules know.
    pub(super) fields: Vec<&'static str>,
}

impl Scratch {
    /// Forgets everything about other texts but what was noted.
    pub(super) fn reset(&mut self, program: &Program) {
        self.keys.clear();
        self.fields.clear();
        self.shapes.reset(program.sites);
    }

    /// How many keys of open objects are remembered.
    pub(super) fn keys_open(&self) -> usize {
        self.keys.len()
    }

    /// Remembers a key whose quotes are at `open` and just before `end`.
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

    /// Looks whether a key from `base` on was there twice, and forgets them.
    #[inline(always)]
    pub(super) fn forget_keys(&mut self, bytes: &[u8], base: usize) -> Result<(), Stop> {
        match self.keys.len() == base {
            true => Ok(()),
            false => self.keys.close(bytes, base),
        }
    }

    /// What is remembered of open objects, put aside while another text is read.
    pub(super) fn put_aside(&mut self) -> (Keys, Vec<&'static str>) {
        (
            std::mem::take(&mut self.keys),
            std::mem::take(&mut self.fields),
        )
    }

    pub(super) fn take_back(&mut self, aside: (Keys, Vec<&'static str>)) {
        (self.keys, self.fields) = aside;
    }

    /// What was noted for the rules of meaning.
    pub(crate) fn observed(&self) -> &Observed {
        &self.observed
    }

    pub(crate) fn observed_mut(&mut self) -> &mut Observed {
        &mut self.observed
    }
}

/// Lends the scratch of this thread, or a new one to those who already have it.
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
/// Every text is read right in either way, and faster in its own: `SPACED` looks for white space
/// before each token, the other one only where it finds something unexpected.
pub(super) struct Machine<'a, const SPACED: bool = false> {
    program: &'a Program,
    bytes: &'a [u8],
    scratch: &'a mut Scratch,
    /// The keys of the object that ended last, as bits.
    seen: u64,
    /// How many elements the array that ended last has.
    count: u32,
    /// How many bytes may still be read for alternatives.
    fuel: usize,
    /// How far reading has come. Every byte that is read before a mismatch must be counted, or
    /// alternatives could read it again and again for nothing.
    reached: usize,
}

#[cfg(test)]
thread_local! {
    /// How often a program was run over a text by this thread, for tests of who asks how often.
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

    /// Nothing but space is left.
    pub(super) fn end(&self, at: usize) -> Result<(), Stop> {
        match self.space(at) == self.bytes.len() {
            true => Ok(()),
            false => Err(Stop::Malformed),
        }
    }

    /// A value that begins at `at`, or behind space there. Scalars are checked right here, for anything else there is a
    /// function.
    #[inline(always)]
    pub(super) fn value(&mut self, id: NodeId, at: usize, depth: u32) -> Step {
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
    fn plain(&mut self, node: &'a Node, at: usize, depth: u32) -> Step {
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

    /// The same, if there is space before the value and none was expected.
    #[inline(never)]
    fn after_space(&mut self, node: &'a Node, at: usize, depth: u32) -> Step {
        let at = self.token(at);
        self.plain(node, at, depth)
    }

    #[inline(always)]
    fn literal(&self, node: &Node, at: usize) -> Step {
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
    fn any_or_object(&mut self, node: &Node, at: usize, depth: u32) -> Step {
        allow(node, types::OBJECT)?;
        let program = self.program;
        match program.objects.get(node.object as usize) {
            Some(rules) => self.object(rules, at, depth),
            None => self.free_object(at, depth, node.site),
        }
    }

    #[inline(always)]
    fn any_or_array(&mut self, node: &Node, at: usize, depth: u32) -> Step {
        allow(node, types::ARRAY)?;
        let program = self.program;
        match program.arrays.get(node.array as usize) {
            Some(rules) => self.array(rules, at, depth),
            None => self.any_array(at, depth, node.site),
        }
    }

    /// The byte at `at`; zero, which no JSON has, behind the end.
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
