use crate::json::Node;

/// The work allowed for fixing a value. Linear in its size and that of the schema.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    is_spent: bool,
}

/// Steps for any value.
const STEPS: u64 = 1_000_000;
/// Further steps for each byte of the value.
const PER_BYTE: u64 = 16;
/// Further steps for each byte of the schema, parts of which must be compiled.
const PER_BYTE_OF_SCHEMA: u64 = 4;

impl Budget {
    pub(super) fn of(schema: Node<'_>, value: Node<'_>) -> Self {
        let bytes = |node: Node<'_>| node.text().len() as u64;
        Self {
            left: STEPS + bytes(value) * PER_BYTE + bytes(schema) * PER_BYTE_OF_SCHEMA,
            is_spent: false,
        }
    }

    /// Takes steps from the budget; `false` from the first time that they exceed it.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        match self.left.checked_sub(steps as u64) {
            Some(left) if !self.is_spent => self.left = left,
            _ => self.is_spent = true,
        }
        !self.is_spent
    }

    pub(super) fn is_spent(&self) -> bool {
        self.is_spent
    }
}
