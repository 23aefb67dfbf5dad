//! Keys whose value says which other keys an object has, as `type` in `{"type": "circle", "radius": 1}`.

use indexmap::IndexMap;

use super::place::Kinds;
use crate::json::{Kind, Node};

/// The keys that may be the tag of the objects at one place.
#[derive(Debug, Clone, Default)]
pub(super) struct Tags {
    /// `None` once there are too many keys.
    candidates: Option<Vec<Candidate>>,
    /// Whether objects were seen. Before that, every key is a candidate.
    begun: bool,
}

/// A key that every object has, with one of a few words.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The number of the key among the members.
    pub(super) key: usize,
    pub(super) variants: IndexMap<Box<str>, Variant>,
}

/// The objects with one word.
#[derive(Debug, Clone, Default)]
pub(super) struct Variant {
    pub(super) count: u64,
    /// For each member: how many of these objects have it, and with values of which types.
    cells: Vec<Cell>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    pub(super) count: u64,
    pub(super) kinds: Kinds,
}

/// The most words of a tag.
const MOST_WORDS: usize = 12;
/// The longest of them, in bytes.
const LONGEST_WORD: usize = 48;
/// With more keys than this, no tag is looked for.
const MOST_KEYS: usize = 64;

impl Tags {
    /// Whether another object could tell something.
    pub(super) fn are_wanted(&self) -> bool {
        !self.begun || self.candidates.as_ref().is_some_and(|all| !all.is_empty())
    }

    pub(super) fn give_up(&mut self) {
        (self.begun, self.candidates) = (true, None);
    }

    /// Adds an object: the numbers of its members with their values. `known` is how many keys have a number.
    pub(super) fn add(&mut self, members: &[(usize, Node<'_>)], known: usize) {
        if known > MOST_KEYS {
            self.give_up();
            return;
        }
        if !self.begun {
            self.begun = true;
            let words = members
                .iter()
                .filter(|(_, value)| value.kind() == Kind::String);
            let candidates = words.map(|(key, _)| Candidate {
                key: *key,
                variants: IndexMap::new(),
            });
            self.candidates = Some(candidates.collect());
        }
        if let Some(candidates) = &mut self.candidates {
            candidates.retain_mut(|candidate| candidate.add(members).is_some());
        }
    }

    /// Adds those of other objects, whose keys have these numbers here.
    pub(super) fn merge(&mut self, other: Self, numbers: &[usize], known: usize) {
        if !other.begun {
            return;
        }
        let renumbered = other.candidates.map(|all| {
            let renumber = |candidate: Candidate| candidate.renumbered(numbers);
            all.into_iter().map(renumber).collect::<Vec<_>>()
        });
        self.candidates = match (self.begun, self.candidates.take(), renumbered) {
            _ if known > MOST_KEYS => None,
            (false, _, theirs) => theirs,
            (true, Some(ours), Some(theirs)) => Some(in_both(ours, theirs)),
            (true, ..) => None,
        };
        self.begun = true;
    }

    pub(super) fn candidates(&self) -> &[Candidate] {
        self.candidates.as_deref().unwrap_or_default()
    }
}

fn in_both(ours: Vec<Candidate>, theirs: Vec<Candidate>) -> Vec<Candidate> {
    let mut theirs: Vec<Option<Candidate>> = theirs.into_iter().map(Some).collect();
    let both = ours.into_iter().filter_map(|mut one| {
        let is_it =
            |other: &&mut Option<Candidate>| other.as_ref().is_some_and(|o| o.key == one.key);
        let other = theirs.iter_mut().find(is_it)?.take()?;
        one.merge(other)?;
        Some(one)
    });
    both.collect()
}

impl Candidate {
    /// `None` if this object shows that it is no tag.
    fn add(&mut self, members: &[(usize, Node<'_>)]) -> Option<()> {
        let (_, word) = members.iter().find(|(key, _)| *key == self.key)?;
        let word = word.as_str()?;
        let variant = self.variant(&word)?;
        variant.count += 1;
        for (key, value) in members {
            let cell = variant.cell_mut(*key);
            cell.count += 1;
            cell.kinds = cell.kinds.and(Kinds::of(*value));
        }
        Some(())
    }

    fn variant(&mut self, word: &str) -> Option<&mut Variant> {
        if !self.variants.contains_key(word) {
            if self.variants.len() >= MOST_WORDS || word.len() > LONGEST_WORD {
                return None;
            }
            self.variants.insert(word.into(), Variant::default());
        }
        self.variants.get_mut(word)
    }

    fn merge(&mut self, other: Self) -> Option<()> {
        for (word, theirs) in other.variants {
            let ours = self.variant(&word)?;
            ours.count += theirs.count;
            for (key, theirs) in theirs.cells.into_iter().enumerate() {
                if theirs.count > 0 {
                    let cell = ours.cell_mut(key);
                    cell.count += theirs.count;
                    cell.kinds = cell.kinds.and(theirs.kinds);
                }
            }
        }
        Some(())
    }

    fn renumbered(mut self, numbers: &[usize]) -> Self {
        let number = |key: usize| numbers.get(key).copied().unwrap_or(key);
        self.key = number(self.key);
        for variant in self.variants.values_mut() {
            for (key, cell) in std::mem::take(&mut variant.cells).into_iter().enumerate() {
                *variant.cell_mut(number(key)) = cell;
            }
        }
        self
    }
}

impl Variant {
    pub(super) fn cell(&self, key: usize) -> Cell {
        self.cells.get(key).copied().unwrap_or_default()
    }

    fn cell_mut(&mut self, key: usize) -> &mut Cell {
        if self.cells.len() <= key {
            self.cells.resize(key + 1, Cell::default());
        }
        &mut self.cells[key]
    }
}
