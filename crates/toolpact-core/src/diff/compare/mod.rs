//! Where two schemas differ: keyword by keyword, at each part of the values.

mod alternatives;
mod annotations;
mod difference;
mod keys;
mod keywords;
mod trail;

use std::collections::HashSet;
use std::rc::Rc;

use crate::json::Value;
use crate::schema::Keyword;
use crate::schema::view::{Identity, Part, Sources, View};
use crate::text::shorten;

pub(super) use difference::Difference;
pub(super) use trail::{Step, Trail};

use super::ChangeKind;

/// Most parts of values that are compared.
const WORK: usize = 20_000;
/// Deepest nesting of parts that are compared.
const DEPTH: usize = 64;
/// Most differences that are listed.
const MOST: usize = 200;

/// All differences, in the order of the new schema.
pub(super) fn compare<'v>(
    sources: &'v Sources<'v>,
    old: &View<'v>,
    new: &View<'v>,
    is_arguments: bool,
) -> Vec<Difference<'v>> {
    let mut walk = Walk {
        sources,
        is_arguments,
        seen: HashSet::new(),
        found: Vec::new(),
    };
    let trail = Trail::root(old.clone(), new.clone());
    walk.compare(&trail, old, new, 0);
    walk.found
}

struct Walk<'v> {
    sources: &'v Sources<'v>,
    /// Whether they are the schemas of parameters.
    is_arguments: bool,
    /// Pairs that were compared, so that schemas that refer to themselves end.
    seen: HashSet<(Identity, Identity)>,
    found: Vec<Difference<'v>>,
}

impl<'v> Walk<'v> {
    /// Compares what is asked of one part of a value. `trail` has all that is asked of it, `old` and `new`
    /// what is compared: one alternative of it, or all.
    fn compare(&mut self, trail: &Rc<Trail<'v>>, old: &View<'v>, new: &View<'v>, depth: usize) {
        let pair = (old.all_identity(), new.all_identity());
        let is_full = self.seen.len() >= WORK || self.found.len() >= MOST || depth > DEPTH;
        if is_full || pair.0 == pair.1 || are_same(old, new) || !self.seen.insert(pair) {
            return;
        }
        self.annotations(trail, old, new);
        self.types(trail, old, new);
        self.values(trail, old, new);
        self.scalars(trail, old, new);
        self.keys(trail, old, new, depth);
        self.other_keys(trail, old, new, depth);
        self.items(trail, old, new, depth);
        self.alternatives(trail, old, new, depth);
    }

    fn add(
        &mut self,
        trail: &Rc<Trail<'v>>,
        kind: ChangeKind,
        what: String,
    ) -> Option<&mut Difference<'v>> {
        if self.found.len() >= MOST {
            return None;
        }
        self.found.push(Difference {
            kind,
            at: Rc::clone(trail),
            key: None,
            keyword: None,
            old: trail.old.parts().first().copied(),
            new: trail.new.parts().first().copied(),
            before: None,
            after: None,
            what,
        });
        self.found.last_mut()
    }

    /// Adds a difference in one keyword.
    fn add_keyword(
        &mut self,
        trail: &Rc<Trail<'v>>,
        kind: ChangeKind,
        keyword: Keyword,
        [old, new]: [Option<Part<'v>>; 2],
        what: String,
    ) {
        if let Some(difference) = self.add(trail, kind, what) {
            difference.keyword = Some(keyword);
            difference.before = old.map(|part| part.node.to_value());
            difference.after = new.map(|part| part.node.to_value());
            difference.old = old.or(difference.old);
            difference.new = new.or(difference.new);
        }
    }
}

/// Whether both have the same texts and refer to nothing.
fn are_same(old: &View<'_>, new: &View<'_>) -> bool {
    let (old, new) = (old.parts(), new.parts());
    let is_same = |(old, new): (&Part<'_>, &Part<'_>)| {
        old.node.text() == new.node.text() && !super::inclusion::refers(*old)
    };
    old.len() == new.len() && old.iter().zip(new).all(is_same)
}

/// The values of a keyword in all schemas of a view, in canonical form.
fn texts(view: &View<'_>, keyword: Keyword) -> Vec<String> {
    let values = view.all(keyword);
    let mut texts: Vec<String> = values
        .map(|part| part.node.to_value().to_canonical())
        .collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// A value as it stands in a message.
fn brief(part: Part<'_>) -> String {
    shorten(part.node.text())
}

/// "`a` is gone", "`a` is new", "`a` is 1, was 2".
fn changed(name: &str, old: Option<Part<'_>>, new: Option<Part<'_>>) -> String {
    match (old, new) {
        (Some(old), Some(new)) => format!("`{name}` is {}, was {}", brief(new), brief(old)),
        (None, Some(new)) => format!("`{name}` is {}, was not there", brief(new)),
        (Some(old), None) => format!("`{name}` is gone, was {}", brief(old)),
        (None, None) => format!("`{name}` differs"),
    }
}

fn values_of(texts: &[String]) -> Option<Value> {
    Value::from_json(format!("[{}]", texts.join(","))).ok()
}
