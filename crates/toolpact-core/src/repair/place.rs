use crate::Pointer;

use super::{Repair, RepairKind};

/// How deep repair looks, JSON in strings and alternatives in alternatives included. It recurses
/// once for each level; what is deeper stays as it is.
const DEEPEST: usize = 128;

/// Where in the arguments, and how deep.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    pub(super) pointer: Pointer,
    level: usize,
}

/// A value that was changed: what it is now, and what was done to it and inside of it.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) text: String,
    pub(super) repairs: Vec<Repair>,
}

impl Place {
    pub(super) fn key(&self, key: &str) -> Self {
        self.at(self.pointer.key(key))
    }

    pub(super) fn index(&self, index: usize) -> Self {
        self.at(self.pointer.index(index))
    }

    /// The same place, looked at in another way.
    pub(super) fn again(&self) -> Self {
        self.at(self.pointer.clone())
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.level >= DEEPEST
    }

    pub(super) fn levels_left(&self) -> usize {
        DEEPEST.saturating_sub(self.level)
    }

    pub(super) fn repaired(&self, kind: RepairKind, message: String) -> Repair {
        Repair {
            pointer: self.pointer.clone(),
            kind,
            message,
        }
    }

    fn at(&self, pointer: Pointer) -> Self {
        Self {
            pointer,
            level: self.level + 1,
        }
    }
}
