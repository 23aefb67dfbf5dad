//! Converts entries of an index to JSON Pointers and back.

use super::Node;
use super::index::{Index, NodeId, Shape};
use crate::violation::{Pointer, Token};

/// The pointer of each target, in one walk over the index for all targets.
pub(crate) fn paths(index: &Index, targets: &[NodeId], root: &Pointer) -> Vec<Pointer> {
    let mut order: Vec<usize> = (0..targets.len()).collect();
    order.sort_by_key(|i| targets[*i]);
    let mut walk = Walk {
        index,
        open: Vec::new(),
        root,
    };
    let mut pointers = vec![root.clone(); targets.len()];
    let mut last: Option<usize> = None;
    for i in order {
        // Findings at the same place share one pointer, because its last key may be very long.
        pointers[i] = match last.filter(|last| targets[*last] == targets[i]) {
            Some(last) => pointers[last].clone(),
            None => walk.to(targets[i]),
        };
        last = Some(i);
    }
    pointers
}

/// The value at a pointer, or its nearest existing ancestor.
pub(crate) fn node_at<'a>(root: Node<'a>, place: &Pointer) -> Node<'a> {
    find_at(root, place).unwrap_or_else(|nearest| nearest)
}

/// The value at a pointer, or its nearest existing ancestor as the error.
pub(crate) fn find_at<'a>(root: Node<'a>, place: &Pointer) -> Result<Node<'a>, Node<'a>> {
    let inside = |node: Node<'a>, token: &Token| match token {
        Token::Key(key) => node.get(key),
        Token::Index(index) => node.items().nth(*index),
    };
    let mut tokens = place.tokens().into_iter();
    tokens.try_fold(root, |node, token| inside(node, token).ok_or(node))
}

struct Walk<'a> {
    index: &'a Index,
    open: Vec<Container>,
    root: &'a Pointer,
}

/// A container on the path to the current target.
struct Container {
    pointer: Pointer,
    /// The first entry after the container.
    end: NodeId,
    /// The next child to visit, a key or an element.
    next: NodeId,
    /// The position of that child.
    position: usize,
    is_object: bool,
}

impl Walk<'_> {
    fn to(&mut self, target: NodeId) -> Pointer {
        while self
            .open
            .last()
            .is_some_and(|container| container.end <= target)
        {
            self.open.pop();
        }
        if self.open.is_empty() && (target == 0 || !self.enter(0, self.root.clone())) {
            return self.root.clone();
        }
        while let Some(container) = self.open.last_mut() {
            let Some((child, pointer)) = container.child_with(self.index, target) else {
                return container.pointer.clone();
            };
            if child == target || !self.enter(child, pointer.clone()) {
                return pointer;
            }
        }
        self.root.clone()
    }

    fn enter(&mut self, id: NodeId, pointer: Pointer) -> bool {
        let Some(entry) = self.index.entries.get(id as usize) else {
            return false;
        };
        let is_object = entry.shape == Shape::Object;
        if entry.shape.is_container() {
            let (end, next) = (entry.next, id + 1);
            self.open.push(Container {
                pointer,
                end,
                next,
                position: 0,
                is_object,
            });
        }
        entry.shape.is_container()
    }
}

impl Container {
    /// The child that is or contains the target.
    fn child_with(&mut self, index: &Index, target: NodeId) -> Option<(NodeId, Pointer)> {
        loop {
            let value = if self.is_object {
                self.next + 1
            } else {
                self.next
            };
            let after = match index.entries.get(value as usize) {
                Some(entry) if value < self.end => entry.next,
                _ => return None,
            };
            if target < after {
                return Some((value, self.pointer_to(index)));
            }
            self.next = after;
            self.position += 1;
        }
    }

    fn pointer_to(&self, index: &Index) -> Pointer {
        if !self.is_object {
            return self.pointer.index(self.position);
        }
        let key = Node::new(index, self.next);
        self.pointer.key(&key.as_str().unwrap_or_default())
    }
}
