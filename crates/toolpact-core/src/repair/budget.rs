use crate::json::Node;

/// How much work it may take to put a value right. Linear in its size, whatever the schema is.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    is_spent: bool,
}

/// Steps for any value.
const STEPS: u64 = 1_000_000;
/// Further steps for each byte of the value.
const PER_BYTE: u64 = 16;

impl Budget {
    pub(super) fn of(value: Node<'_>) -> Self {
        Self {
            left: STEPS + value.text().len() as u64 * PER_BYTE,
            is_spent: false,
        }
    }

    /// Whether there was that much left. Once there was not, there is nothing left for anything.
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
