use crate::Pointer;

use super::{Repair, RepairKind};

/// How deep repair looks, including JSON in strings and nested alternatives. It recurses once for
/// each level; anything deeper is left unchanged.
const DEEPEST: usize = 128;

/// A place in the arguments, and its depth.
#[derive(Debug, Clone, Default)]
pub(super) struct ArgumentPath {
    pub(super) pointer: Pointer,
    level: usize,
}

/// A changed value, and the changes to it and inside it.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) text: String,
    pub(super) repairs: Vec<Repair>,
}

impl ArgumentPath {
    pub(super) fn key(&self, key: &str) -> Self {
        self.at(self.pointer.key(key))
    }

    pub(super) fn index(&self, index: usize) -> Self {
        self.at(self.pointer.index(index))
    }

    /// The same place, one level deeper.
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
