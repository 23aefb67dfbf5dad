use crate::Pointer;
use crate::json::Node;
use crate::returns::Returns;

use super::Lifted;
use super::assemble::Move;

/// Which parts of the output go where: `{data: /items, pagination.total: /total}`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiftMapping(Vec<Move>);

impl LiftMapping {
    /// Adds a part: where it is put, key by key, and where it is from. `false` if that is inside of
    /// another part, or around one.
    pub(crate) fn add<'k>(&mut self, to: impl IntoIterator<Item = &'k str>, from: Pointer) -> bool {
        let added = Move::new(to, from);
        let overlaps =
            |other: &Move| added.to.starts_with(&other.to) || other.to.starts_with(&added.to);
        if added.to.is_empty() || self.0.iter().any(overlaps) {
            return false;
        }
        self.0.push(added);
        true
    }

    /// Where each part is put, and where it is from.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (String, &Pointer)> {
        self.0.iter().map(|moved| (moved.to.join("."), &moved.from))
    }

    /// `None` if nothing that it names is there: then the output may be the result already.
    pub(super) fn apply(&self, returns: &Returns, output: Node<'_>) -> Option<Lifted> {
        if !self.0.iter().any(|moved| output.at(&moved.from).is_some()) {
            return None;
        }
        let standard = match returns {
            Returns::Standard { standard, .. } => Some(*standard),
            _ => None,
        };
        Some(Lifted::of(standard, output, self.0.clone()))
    }
}
