//! The parts of a document that schemas refer to: read once, however many tools have them.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexSet;

use crate::Violations;
use crate::returns::StandardType;
use crate::schema::shared::{Fragment, Names, Pool};

use super::super::super::standard::standard_of;
use super::super::super::tree::Tree;
use super::super::unescape;
use super::lead::{is_elsewhere, references, target};
use super::source::{At, Source, is_shallow, lost};
use super::words::{LeftOut, Side, translate};

/// The parts that requests or responses have.
pub(super) struct Parts {
    pointers: IndexSet<String>,
    pub(super) pool: Arc<Pool>,
    notes: Vec<Note>,
}

/// What is said of a part where a tool has it.
#[derive(Default)]
struct Note {
    left_out: BTreeSet<LeftOut>,
    wrong: Option<Violations>,
}

impl Parts {
    /// Reads the parts at these pointers, and all that they refer to.
    pub(super) fn read(source: &Source<'_>, side: Side, wanted: IndexSet<String>) -> Self {
        let (mut pointers, mut fragments, mut notes) = (wanted, Vec::new(), Vec::new());
        while let Some(pointer) = pointers.get_index(fragments.len()).cloned() {
            let mut note = Note::default();
            let word = unescape(pointer.rsplit('/').next().unwrap_or_default());
            fragments.push(match source.find(&pointer) {
                Some(at) => fragment(source, side, (word, &at), &mut pointers, &mut note),
                None => nothing(word),
            });
            notes.push(note);
        }
        Self {
            pointers,
            pool: Arc::new(Pool::new(fragments)),
            notes,
        }
    }

    pub(super) fn number(&self, pointer: &str) -> Option<usize> {
        self.pointers.get_index_of(pointer)
    }

    /// The parts that a schema reaches, and the keywords that were left out of them. The error is the first thing
    /// that is wrong with one.
    pub(super) fn reached(
        &self,
        names: &Names,
        left_out: &mut BTreeSet<LeftOut>,
    ) -> Result<Vec<usize>, Violations> {
        let reached = self.pool.reached(names);
        for note in reached.iter().filter_map(|number| self.notes.get(*number)) {
            if let Some(wrong) = &note.wrong {
                return Err(wrong.clone());
            }
            left_out.extend(&note.left_out);
        }
        Ok(reached)
    }
}

fn fragment(
    source: &Source<'_>,
    side: Side,
    part: (String, &At<'_>),
    pointers: &mut IndexSet<String>,
    note: &mut Note,
) -> Fragment {
    let (word, at) = part;
    if let Err(wrong) = is_shallow(at) {
        note.wrong = Some(wrong);
        return nothing(word);
    }
    let mut tree = Tree::of(at.node, &at.place);
    translate(&mut tree, source.old, side, &mut note.left_out);
    let (mut links, wrong) = (Vec::new(), &mut note.wrong);
    references(
        &mut tree,
        false,
        &at.place,
        &mut |map, reference, base| match target(source, reference, base, &at.place) {
            Some(target) => {
                let (number, _) = pointers.insert_full(target.part);
                let mark = format!("@{}", links.len());
                links.push((number, target.rest));
                map.set("$ref", Tree::Number(mark.into()));
            }
            None if is_elsewhere(reference) => {}
            None => drop(wrong.get_or_insert_with(|| {
                let place = map.place().key("$ref");
                lost(
                    &At {
                        node: source.root,
                        place,
                    },
                    reference,
                )
            })),
        },
    );
    let named = StandardType::from_name(&word);
    let is_one = side == Side::Response && links.is_empty();
    Fragment {
        text: tree.to_text(),
        standard: named.filter(|named| is_one && standard_of(&tree) == Some(*named)),
        links,
        word,
    }
}

fn nothing(word: String) -> Fragment {
    Fragment {
        word,
        text: "true".to_owned(),
        links: Vec::new(),
        standard: None,
    }
}
