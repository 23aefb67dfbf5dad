//! The size budget of a program. Constraints are copied to every node they apply to, so a short
//! schema can produce large tables.

use super::{Compiler, SubschemaId, Supported, unsupported};
use crate::json::Node as Json;
use crate::schema::{Cost, Keyword, bounds, pattern_size};

/// The most bytes of tables, approximately.
pub(super) const MOST_BYTES: usize = 32 << 20;
/// The most nodes of a program. Sets of subschemas can multiply.
pub(super) const MOST_NODES: usize = 20_000;
/// The most groups of alternatives at one place. Each is decided by a node of its own, for which
/// all constraints at that place are collected again.
pub(super) const MOST_GROUPS: usize = 64;
/// The most sets of keys that one object is compared with.
pub(super) const MOST_SETS: usize = 256;

/// The cost of visiting a subschema once, expressed in bytes of tables.
pub(super) const LOOK: usize = 4;

/// The bytes of any entry, an allowed value, a property, and a state of a pattern.
const ENTRY: usize = 16;
const VALUE: usize = 96;
const PROPERTY: usize = 256;
const STATE: u64 = 64;

/// The bytes that a keyword takes in the tables; an unknown one still has to be skipped.
pub(super) fn cost(keyword: Option<Keyword>, value: Json<'_>) -> usize {
    let listed = |each: usize| value.items().count() * each;
    let text = value.text().len();
    ENTRY
        + match keyword.map_or(Cost::Free, Keyword::cost) {
            Cost::Free => 0,
            Cost::Scalar => VALUE + 2 * text,
            Cost::Values => listed(VALUE) + 2 * text,
            Cost::Names => listed(ENTRY) + text,
            Cost::Keys => {
                let names = value.entries();
                names.map(|(key, _)| PROPERTY + 2 * key.text().len()).sum()
            }
            Cost::Schemas => listed(ENTRY),
            Cost::NamesByKey | Cost::Text => 4 * text,
        }
}

impl<'a> Compiler<'_, 'a> {
    /// Charges the budget.
    pub(super) fn charge(&mut self, at: SubschemaId, bytes: usize) -> Supported<()> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(unsupported(at, "a schema that is copied to many places")),
        }
    }

    /// Adds the states of a pattern. Slow patterns are left to the explain path, which counts their
    /// cost for each text.
    pub(super) fn states(
        &mut self,
        states: u64,
        pattern: Json<'a>,
        at: SubschemaId,
    ) -> Supported<u64> {
        let Some(text) = pattern.as_str() else {
            return Ok(states);
        };
        let size = pattern_size(&text).map_err(|_| unsupported(at, "an unusual pattern"))?;
        let memory = size.compiled.saturating_mul(STATE);
        self.charge(at, usize::try_from(memory).unwrap_or(usize::MAX))?;
        let states = states.saturating_add(size.states);
        if states > bounds::STATES {
            Err(unsupported(at, "patterns of many states"))
        } else {
            Ok(states)
        }
    }
}
