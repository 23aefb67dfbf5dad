//! Values of which nothing is asked but that they are JSON, and that no key comes twice.
//!
//! The objects of a list mostly have the same keys in the same order. The keys of the first are
//! learned as a *shape*, and as long as another object follows it, its keys need only be compared
//! with those of the shape: they are not searched for their end, and none can be there twice.

use std::ops::Range;

use super::keys::Name;
use super::{Machine, Step, Stop, deeper};
use crate::check::fast::program::Node;

/// The number of a shape.
type ShapeId = u32;

/// An object outside of lists.
pub(super) const NO_SHAPE: ShapeId = u32::MAX;

/// What the objects of lists looked like so far.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
    slots: Vec<Slot>,
    /// The slots of the objects that are open.
    open: Vec<Slot>,
}

/// Which slots belong to a shape. There are none as long as nothing was learned.
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    first: u32,
    length: u32,
    /// How often it was learned.
    lessons: u8,
}

/// A key of a shape.
#[derive(Debug, Clone, Copy)]
struct Slot {
    name: Name,
    /// The length with quotes and colon.
    length: u32,
    /// The shape of the objects under it.
    child: ShapeId,
}

/// So many shapes and keys are learned. Texts with more are rare, and are read without.
const MOST_SHAPES: usize = 256;
const MOST_SLOTS: usize = 4096;
/// So many keys make a shape.
const MOST_KEYS: usize = 64;
/// So often a shape is learned anew.
const MOST_LESSONS: u8 = 4;

impl Shapes {
    pub(super) fn clear(&mut self) {
        self.shapes.clear();
        self.slots.clear();
        self.open.clear();
    }

    fn add(&mut self) -> ShapeId {
        if self.shapes.len() >= MOST_SHAPES {
            return NO_SHAPE;
        }
        self.shapes.push(Shape::default());
        u32::try_from(self.shapes.len() - 1).unwrap_or(NO_SHAPE)
    }

    pub(super) fn opened(&self) -> usize {
        self.open.len()
    }

    pub(super) fn close(&mut self, length: usize) {
        self.open.truncate(length);
    }

    fn slot(&self, shape: Shape, key: u32) -> Option<Slot> {
        match key < shape.length {
            true => self.slots.get((shape.first + key) as usize).copied(),
            false => None,
        }
    }

    /// The open slots from `base` on are the keys of the object that ends.
    fn learn(&mut self, id: ShapeId, base: usize) {
        let length = self.open.len() - base;
        let Some(shape) = self.shapes.get_mut(id as usize) else {
            return;
        };
        let room = self.slots.len() + length <= MOST_SLOTS && length <= MOST_KEYS;
        if room && shape.lessons < MOST_LESSONS {
            let narrow = |n: usize| u32::try_from(n).unwrap_or(0);
            shape.lessons += 1;
            (shape.first, shape.length) = (narrow(self.slots.len()), narrow(length));
            self.slots.extend_from_slice(&self.open[base..]);
        }
    }
}

impl Machine<'_> {
    #[inline]
    fn any(&mut self, at: usize, depth: u32, shape: ShapeId) -> Step {
        match self.byte(at) {
            b'"' => Ok(self.text(at)?.end),
            b'{' => self.any_object(at, depth, shape),
            b'[' => self.any_array(at, depth, shape),
            b'-' | b'0'..=b'9' => self.number(&Node::ANY, at),
            _ => self.literal(&Node::ANY, at),
        }
    }

    /// The objects in it have this shape, or a new one.
    pub(super) fn any_array(&mut self, open: usize, depth: u32, mut shape: ShapeId) -> Step {
        let depth = deeper(depth)?;
        let mut at = self.space(open + 1);
        let mut count: u32 = 0;
        if self.byte(at) != b']' {
            if shape == NO_SHAPE && self.byte(at) == b'{' {
                shape = self.scratch.shapes.add();
            }
            loop {
                at = self.any(at, depth, shape)?;
                count += 1;
                at = self.space(at);
                match self.byte(at) {
                    b',' => at = self.comma(at),
                    b']' => break,
                    _ => return Err(Stop::Malformed),
                }
            }
        }
        self.count = count;
        Ok(at + 1)
    }

    /// An object, which may have a shape.
    pub(super) fn any_object(&mut self, open: usize, depth: u32, id: ShapeId) -> Step {
        let inside = deeper(depth)?;
        let mut at = self.space(open + 1);
        if self.byte(at) == b'}' {
            return Ok(at + 1);
        }
        let Some(shape) = self.scratch.shapes.shapes.get(id as usize).copied() else {
            return self.other_object(at, inside, NO_SHAPE, 0..0);
        };
        let mut key = 0;
        loop {
            let slot = self.scratch.shapes.slot(shape, key);
            let Some(slot) = slot.filter(|slot| self.repeats(slot, at)) else {
                let first = shape.first as usize;
                let known = first..first + key as usize;
                return self.other_object(at, inside, id, known);
            };
            at = self.space(at + slot.length as usize);
            at = self.any(at, inside, slot.child)?;
            key += 1;
            at = self.space(at);
            match self.byte(at) {
                b',' => at = self.comma(at),
                b'}' => return Ok(at + 1),
                _ => return Err(Stop::Malformed),
            }
        }
    }

    /// The rest of an object that has no shape or does not follow it. The keys of the slots `known`
    /// were there already.
    fn other_object(
        &mut self,
        mut at: usize,
        depth: u32,
        id: ShapeId,
        known: Range<usize>,
    ) -> Step {
        let bytes = self.bytes;
        let (base, open) = (self.scratch.keys.len(), self.scratch.shapes.open.len());
        let mut learnable = id != NO_SHAPE;
        for slot in known {
            let slot = self.scratch.shapes.slots[slot];
            self.scratch.shapes.open.push(slot);
            self.scratch.keys.push(bytes, base, slot.name)?;
        }
        loop {
            let (name, end) = self.key(at)?;
            self.scratch.keys.push(bytes, base, name)?;
            let length = end - at;
            at = self.space(end);
            let mut child = NO_SHAPE;
            if learnable {
                if matches!(self.byte(at), b'{' | b'[') {
                    child = self.scratch.shapes.add();
                }
                learnable = !name.is_escaped();
                let length = u32::try_from(length).unwrap_or(u32::MAX);
                let slot = Slot {
                    name,
                    length,
                    child,
                };
                self.scratch.shapes.open.push(slot);
            }
            at = self.any(at, depth, child)?;
            at = self.space(at);
            match self.byte(at) {
                b',' => at = self.comma(at),
                b'}' => break,
                _ => return Err(Stop::Malformed),
            }
        }
        self.close_keys(base)?;
        if learnable {
            self.scratch.shapes.learn(id, open);
        }
        self.scratch.shapes.open.truncate(open);
        Ok(at + 1)
    }

    /// Whether the key of a slot stands at `at` again.
    #[inline(always)]
    fn repeats(&self, slot: &Slot, at: usize) -> bool {
        let (start, length) = (slot.name.quote(), slot.length as usize);
        let chunk = |at: usize| -> Option<u128> {
            let chunk = self.bytes.get(at..)?.first_chunk()?;
            Some(u128::from_le_bytes(*chunk))
        };
        if let (1..=16, Some(known), Some(found)) = (length, chunk(start), chunk(at)) {
            return (known ^ found) << (128 - 8 * length) == 0;
        }
        self.slice(start, start + length) == self.slice(at, at + length)
    }
}
