//! How large a program may get. What a schema says once is copied to every node that asks for it, so
//! that a short schema can make for large tables.

use super::{Compiler, SubschemaId, Supported, unsupported};
use crate::json::Node as Json;
use crate::schema::{Cost, Keyword, bounds, pattern_size};

/// The most bytes of tables, about.
pub(super) const MOST_BYTES: usize = 32 << 20;
/// The most nodes of a program. Sets of subschemas can multiply.
pub(super) const MOST_NODES: usize = 20_000;
/// The most groups of alternatives at one place. Each is decided by a node of its own, for which all
/// that is asked there is gathered again.
pub(super) const MOST_GROUPS: usize = 64;
/// The most sets of keys that one object is compared with.
pub(super) const MOST_SETS: usize = 256;

/// What it takes to ask one subschema about one place, in bytes that could be copied meanwhile.
pub(super) const LOOK: usize = 4;

/// What anything takes at least, an allowed value, a property, and a state of a pattern.
const ENTRY: usize = 16;
const VALUE: usize = 96;
const PROPERTY: usize = 256;
const STATE: u64 = 64;

/// What a keyword takes in the tables, in bytes; an unknown one has to be skipped.
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
    /// Takes something off what may still be used.
    pub(super) fn charge(&mut self, at: SubschemaId, bytes: usize) -> Supported<()> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(unsupported(at, "a schema that is copied to many places")),
        }
    }

    /// Adds the states of a pattern. Those that take long are left to the other path, which counts
    /// what they take with each text.
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
