use std::rc::Rc;

use crate::diff::ChangeKind;
use crate::schema::Keyword;
use crate::schema::view::{Part, View};

use super::{Step, Trail, Walk, brief, changed, texts};

/// Most alternatives that are paired.
const MOST: usize = 200;

impl<'v> Walk<'v> {
    /// Alternatives: those that are the same are left out, those that are alike are compared, and the rest
    /// was added or removed.
    pub(super) fn alternatives(
        &mut self,
        trail: &Rc<Trail<'v>>,
        old: &View<'v>,
        new: &View<'v>,
        depth: usize,
    ) {
        let lists = [old, new].map(View::choices);
        let ([was], [is]) = (&*lists[0], &*lists[1]) else {
            return self.other_alternatives(trail, old, new);
        };
        let is_one_of = [old, new].map(|view| view.get(Keyword::OneOf).is_some());
        let mut before = was.items();
        let mut after = is.items();
        if is_one_of[0] != is_one_of[1] || before.len() > MOST || after.len() > MOST {
            return self.other_alternatives(trail, old, new);
        }
        let pairs = pairs(&mut before, &mut after);
        for [one, other] in pairs {
            let [old_branch, new_branch] = [one, other].map(|part| self.sources.view([part]));
            let all = |view: &View<'v>, branch| {
                view.parts()
                    .iter()
                    .copied()
                    .chain([branch])
                    .collect::<Vec<_>>()
            };
            let full_old = self.sources.view(all(&trail.old, one));
            let full_new = self.sources.view(all(&trail.new, other));
            let inner = trail.then(Step::Choice, full_old, full_new);
            self.compare(&inner, &old_branch, &new_branch, depth + 1);
        }
        let keyword = if is_one_of[0] {
            Keyword::OneOf
        } else {
            Keyword::AnyOf
        };
        for gone in before {
            let what = format!("the alternative {} is gone", brief(gone));
            self.add_keyword(
                trail,
                ChangeKind::Alternatives,
                keyword,
                [Some(gone), None],
                what,
            );
        }
        for more in after {
            let what = format!("the alternative {} is new", brief(more));
            self.add_keyword(
                trail,
                ChangeKind::Alternatives,
                keyword,
                [None, Some(more)],
                what,
            );
        }
    }

    /// Several lists, or none on one side: they are compared as they are written.
    fn other_alternatives(&mut self, trail: &Rc<Trail<'v>>, old: &View<'v>, new: &View<'v>) {
        for keyword in [Keyword::AnyOf, Keyword::OneOf] {
            if texts(old, keyword) != texts(new, keyword) {
                let values = [old.get(keyword), new.get(keyword)];
                let what = changed(keyword.name(), values[0], values[1]);
                self.add_keyword(trail, ChangeKind::Alternatives, keyword, values, what);
            }
        }
    }
}

/// Takes the alternatives that belong together out of both lists, those that are the same first.
fn pairs<'v>(before: &mut Vec<Part<'v>>, after: &mut Vec<Part<'v>>) -> Vec<[Part<'v>; 2]> {
    let mut pairs = Vec::new();
    for key in [text, likeness] {
        let mut open = Vec::new();
        for one in std::mem::take(before) {
            let wanted = key(one);
            match after.iter().position(|other| key(*other) == wanted) {
                Some(place) => pairs.push([one, after.remove(place)]),
                None => open.push(one),
            }
        }
        *before = open;
    }
    pairs
}

fn text(part: Part<'_>) -> String {
    part.node.to_value().to_canonical()
}

/// What an alternative is about: what it refers to, or its types and the constants of its members.
fn likeness(part: Part<'_>) -> String {
    if let Some(reference) = part.get(Keyword::Ref) {
        return reference.node.text().to_owned();
    }
    let own =
        [Keyword::Type, Keyword::Const].map(|keyword| part.get(keyword).map(|p| p.node.text()));
    let members = part.get(Keyword::Properties).map(|list| {
        let members = list.node.members();
        let constants = members.filter_map(|(name, schema)| {
            let value = Keyword::Const.get(schema)?;
            Some(format!("{name}={}", value.text()))
        });
        constants.collect::<Vec<_>>()
    });
    format!("{own:?} {members:?}")
}
