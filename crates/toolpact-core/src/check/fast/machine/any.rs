//! Values without constraints: they must be JSON, and objects must not have duplicate keys.
//!
//! The objects at one place mostly have the same keys in the same order, with the same white space
//! around them. These are learned as a *shape*. As long as an object follows the shape, its keys
//! are only compared with those of the shape: they are not scanned for their end, and none can be a
//! duplicate.

use std::ops::Range;

use super::keys::{Few, Name};
use super::{EndOffset, Machine, deeper};
use crate::check::fast::program::{Node, narrow};
use crate::check::fast::window::{WINDOW, mask, window, window_of};

/// The index of a shape.
type ShapeId = u32;

/// No shape: nothing is learned here.
const NO_SHAPE: ShapeId = u32::MAX;

/// The shapes learned so far. The first belong to the sites of a program.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    list: Vec<Shape>,
    /// How many of them are in use.
    used: usize,
    /// The number of the current text. Shapes learned from other texts are ignored.
    text: u64,
    slots: Vec<Slot>,
    /// The slots of the objects that are open.
    open: Vec<Slot>,
}

/// The slots of a shape. There are none until something was learned.
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    first: u32,
    length: u32,
    /// How many objects did not follow it.
    misses: u8,
    /// The number of the text that it was learned from.
    text: u64,
}

/// A key of a shape.
#[derive(Debug, Clone, Copy)]
struct Slot {
    name: Name,
    /// The span of all that comes before the value (white space, the key with its quotes, the
    /// colon, and white space again), and its first and last bytes.
    start: u32,
    length: u32,
    head: u128,
    mask: u128,
    tail: u128,
    /// The shape of the objects inside the value.
    child: ShapeId,
}

impl Slot {
    fn new(name: Name, start: usize, text: &[u8], child: ShapeId) -> Self {
        let tail = text.last_chunk().copied().unwrap_or_default();
        Self {
            name,
            start: narrow(start),
            length: narrow(text.len()),
            head: window_of(text),
            mask: mask(text.len()),
            tail: u128::from_le_bytes(tail),
            child,
        }
    }
}

/// The most shapes and slots. Texts with more are rare, and are read without learning more.
const MOST_SHAPES: usize = 256;
const MOST_SLOTS: usize = 4096;
/// The most keys of a shape.
const MOST_KEYS: usize = 64;
/// A shape is learned from the second object, since most texts have only one of each kind, and
/// relearned a few times after that.
const LESSONS: Range<u8> = 1..5;

impl Shapes {
    /// Starts a new text: drops all slots and invalidates all shapes.
    pub(super) fn reset(&mut self, sites: u32) {
        self.slots.clear();
        self.open.clear();
        self.used = sites as usize;
        self.text = self.text.wrapping_add(1);
        if self.list.len() < self.used {
            self.list.resize(self.used, Shape::default());
        }
    }

    /// Adds a shape for a value inside an object that is being learned: its next object defines it.
    fn add(&mut self) -> ShapeId {
        if self.used >= MOST_SHAPES {
            return NO_SHAPE;
        }
        let shape = Shape {
            misses: LESSONS.start,
            text: self.text,
            ..Shape::default()
        };
        match self.list.get_mut(self.used) {
            Some(place) => *place = shape,
            None => self.list.push(shape),
        }
        self.used += 1;
        u32::try_from(self.used - 1).unwrap_or(NO_SHAPE)
    }

    /// A shape, if it was learned from this text; otherwise an empty one.
    #[inline(always)]
    fn get(&self, id: ShapeId) -> Shape {
        match self.list.get(id as usize) {
            Some(shape) if shape.text == self.text => *shape,
            _ => Shape::default(),
        }
    }

    /// Whether this is the first object at a site. Nothing is learned from it: most texts have only
    /// one of a kind.
    #[inline(always)]
    fn is_new(&mut self, site: u32) -> bool {
        match self.list.get_mut(site as usize) {
            Some(shape) if shape.text != self.text => {
                *shape = Shape {
                    text: self.text,
                    misses: LESSONS.start,
                    ..Shape::default()
                };
                true
            }
            _ => false,
        }
    }

    /// Counts an object that does not follow a shape. Returns whether to learn it.
    fn misses(&mut self, id: ShapeId) -> bool {
        let Some(shape) = self.list.get_mut(id as usize) else {
            return false;
        };
        if shape.text != self.text {
            *shape = Shape {
                text: self.text,
                ..Shape::default()
            };
        }
        let learn = LESSONS.contains(&shape.misses);
        shape.misses = shape.misses.saturating_add(1);
        learn
    }

    pub(super) fn opened(&self) -> usize {
        self.open.len()
    }

    pub(super) fn close(&mut self, length: usize) {
        self.open.truncate(length);
    }

    #[inline(always)]
    fn slot(&self, shape: Shape, key: u32) -> Option<&Slot> {
        match key < shape.length {
            true => self.slots.get((shape.first + key) as usize),
            false => None,
        }
    }

    /// Learns a shape from the open slots from `base` on, the keys of the object that ends.
    fn learn(&mut self, id: ShapeId, base: usize) {
        let length = self.open.len() - base;
        let Some(shape) = self.list.get_mut(id as usize) else {
            return;
        };
        let room = self.slots.len() + length <= MOST_SLOTS && length <= MOST_KEYS;
        if room {
            (shape.first, shape.length) = (narrow(self.slots.len()), narrow(length));
            self.slots.extend_from_slice(&self.open[base..]);
        }
    }
}

impl<const SPACED: bool> Machine<'_, SPACED> {
    #[inline(always)]
    fn any(&mut self, at: usize, depth: u32, shape: ShapeId) -> EndOffset {
        let at = if SPACED { self.space(at) } else { at };
        match self.byte(at) {
            b'"' => Ok(self.text(at)?.end),
            b'{' => self.any_object(at, depth, shape),
            b'[' => self.any_array(at, depth, shape),
            b'-' | b'0'..=b'9' => self.number(&Node::ANY, at),
            b' ' | b'\n' | b'\r' | b'\t' => self.any_after_space(at, depth, shape),
            _ => self.literal(&Node::ANY, at),
        }
    }

    #[inline(never)]
    fn any_after_space(&mut self, at: usize, depth: u32, shape: ShapeId) -> EndOffset {
        self.any(self.space(at), depth, shape)
    }

    /// An array. `shape` is the shape of the objects in it.
    #[inline(never)]
    pub(super) fn any_array(&mut self, open: usize, depth: u32, shape: ShapeId) -> EndOffset {
        let depth = deeper(depth)?;
        let mut at = self.space(open + 1);
        let mut count: u32 = 0;
        if self.byte(at) != b']' {
            loop {
                at = self.any(at, depth, shape)?;
                count += 1;
                match self.separator(at, b']')? {
                    Some(next) => at = next,
                    None => break,
                }
            }
            at = self.reached;
        }
        self.count = count;
        Ok(at + 1)
    }

    /// An object at a site of the program.
    #[inline(always)]
    pub(super) fn free_object(&mut self, open: usize, depth: u32, site: u32) -> EndOffset {
        match self.scratch.shapes.is_new(site) {
            true => self.lone_object(open, depth),
            false => self.any_object(open, depth, site),
        }
    }

    /// An object, possibly with a shape.
    #[inline(never)]
    pub(super) fn any_object(&mut self, open: usize, depth: u32, id: ShapeId) -> EndOffset {
        let inside = deeper(depth)?;
        let mut at = open + 1;
        let shape = self.scratch.shapes.get(id);
        let mut key = 0;
        loop {
            let slot = self.scratch.shapes.slot(shape, key);
            let Some((value, child)) = slot.and_then(|slot| self.follows(slot, at)) else {
                let first = shape.first as usize;
                return self.unlike(at, inside, id, first..first + key as usize);
            };
            at = self.any(value, inside, child)?;
            key += 1;
            match self.separator(at, b'}')? {
                Some(next) => at = next,
                None => return Ok(self.reached + 1),
            }
        }
    }

    /// An object that does not follow its shape from `at` on: possibly an empty one.
    #[inline(never)]
    fn unlike(&mut self, at: usize, depth: u32, id: ShapeId, known: Range<usize>) -> EndOffset {
        if known.is_empty() {
            let first = self.space(at);
            if self.byte(first) == b'}' {
                return Ok(first + 1);
            }
        }
        let learn = self.scratch.shapes.misses(id).then_some(id);
        self.other_object(at, depth, learn, known)
    }

    /// An object that no shape is learned from.
    #[inline(never)]
    fn lone_object(&mut self, open: usize, depth: u32) -> EndOffset {
        let depth = deeper(depth)?;
        let bytes = self.bytes;
        let mut at = open + 1;
        let base = self.scratch.keys.len();
        let mut few = Few::new();
        loop {
            if self.byte(at) != b'"' {
                at = self.space(at);
                if self.byte(at) == b'}' && at == self.space(open + 1) {
                    return Ok(at + 1);
                }
            }
            let (name, end) = self.key(at)?;
            few.push(bytes, &mut self.scratch.keys, base, name)?;
            at = self.any(end, depth, NO_SHAPE)?;
            match self.separator(at, b'}')? {
                Some(next) => at = next,
                None => break,
            }
        }
        let end = self.reached;
        few.close(bytes, &mut self.scratch.keys, base)?;
        Ok(end + 1)
    }

    /// The rest of an object that does not follow its shape. If there is an `id`, that shape is
    /// relearned. The keys of the slots `known` came before.
    #[inline(never)]
    fn other_object(
        &mut self,
        mut at: usize,
        depth: u32,
        id: Option<ShapeId>,
        known: Range<usize>,
    ) -> EndOffset {
        let bytes = self.bytes;
        let (base, open) = (self.scratch.keys.len(), self.scratch.shapes.open.len());
        let mut few = Few::new();
        let mut learnable = id.is_some();
        for slot in known {
            let slot = self.scratch.shapes.slots[slot];
            self.scratch.shapes.open.push(slot);
            few.push(bytes, &mut self.scratch.keys, base, slot.name)?;
        }
        loop {
            let start = at;
            let (name, end) = self.key(self.space(at))?;
            few.push(bytes, &mut self.scratch.keys, base, name)?;
            at = end;
            let mut child = NO_SHAPE;
            if learnable {
                at = self.space(end);
                if matches!(self.byte(at), b'{' | b'[') {
                    child = self.scratch.shapes.add();
                }
                learnable = !name.is_escaped();
                let slot = Slot::new(name, start, self.slice(start, at), child);
                self.scratch.shapes.open.push(slot);
            }
            at = self.any(at, depth, child)?;
            match self.separator(at, b'}')? {
                Some(next) => at = next,
                None => break,
            }
        }
        let end = self.reached;
        few.close(bytes, &mut self.scratch.keys, base)?;
        if let Some(id) = id.filter(|_| learnable) {
            self.scratch.shapes.learn(id, open);
        }
        self.scratch.shapes.open.truncate(open);
        Ok(end + 1)
    }

    /// If the key of a slot is next: the offset of its value, and the shape of the value.
    #[inline(always)]
    fn follows(&self, slot: &Slot, at: usize) -> Option<(usize, ShapeId)> {
        let value = match self.repeats(slot, at) {
            true => at + slot.length as usize,
            false => self.repeats_key(slot, at)?,
        };
        Some((value, slot.child))
    }

    /// Whether the text of a slot is repeated at `at`.
    #[inline(always)]
    fn repeats(&self, slot: &Slot, at: usize) -> bool {
        let length = slot.length as usize;
        match window(self.bytes, at) {
            Some(found) if length <= WINDOW => found & slot.mask == slot.head,
            Some(found) if length <= 2 * WINDOW => {
                found == slot.head && window(self.bytes, at + length - WINDOW) == Some(slot.tail)
            }
            _ => {
                let start = slot.start as usize;
                self.slice(start, start + length) == self.slice(at, at + length)
            }
        }
    }

    /// The offset after the colon, if the key of a slot is at `at` with different white space.
    #[inline(never)]
    fn repeats_key(&self, slot: &Slot, at: usize) -> Option<usize> {
        let key = slot.name.quoted();
        let start = self.space(at);
        let end = start + key.len();
        let colon = self.space(end);
        let same = self.slice(key.start, key.end) == self.slice(start, end);
        (same && self.byte(colon) == b':').then_some(colon + 1)
    }
}
