//! The members of objects and the elements of arrays.

use std::rc::Rc;

use crate::diff::ChangeKind;
use crate::schema::Keyword;
use crate::schema::view::{Part, View};
use crate::text::shorten;

use super::{Step, Trail, Walk, changed, texts};

impl<'v> Walk<'v> {
    pub(super) fn keys(
        &mut self,
        trail: &Rc<Trail<'v>>,
        old: &View<'v>,
        new: &View<'v>,
        depth: usize,
    ) {
        let [was, is] = [old, new].map(|view| view.named(Keyword::Properties));
        let [needed, needs] = [old, new].map(View::required);
        for (key, parts) in &is {
            let Some(before) = was.get(key) else {
                self.key(
                    trail,
                    ChangeKind::KeyAdded,
                    key,
                    [None, parts.first().copied()],
                    needs.contains(key),
                );
                continue;
            };
            let old = self.sources.view(before.iter().copied());
            let new = self.sources.view(parts.iter().copied());
            let inner = trail.then(Step::Key(key.to_string()), old.clone(), new.clone());
            self.compare(&inner, &old, &new, depth + 1);
        }
        for (key, parts) in was.iter().filter(|(key, _)| !is.contains_key(*key)) {
            self.key(
                trail,
                ChangeKind::KeyRemoved,
                key,
                [parts.first().copied(), None],
                needed.contains(key),
            );
        }
        let is_new = |key: &str| is.contains_key(key) && !was.contains_key(key);
        for key in needs
            .iter()
            .filter(|key| !needed.contains(*key) && !is_new(key))
        {
            self.key(trail, ChangeKind::KeyRequired, key, [None, None], true);
        }
        let is_gone = |key: &str| was.contains_key(key) && !is.contains_key(key);
        for key in needed
            .iter()
            .filter(|key| !needs.contains(*key) && !is_gone(key))
        {
            self.key(trail, ChangeKind::KeyOptional, key, [None, None], false);
        }
        self.order(
            trail,
            &was.keys().collect::<Vec<_>>(),
            &is.keys().collect::<Vec<_>>(),
        );
    }

    fn key(
        &mut self,
        trail: &Rc<Trail<'v>>,
        kind: ChangeKind,
        key: &str,
        [old, new]: [Option<Part<'v>>; 2],
        is_required: bool,
    ) {
        let is_parameter = self.is_arguments && trail.steps().is_empty();
        let noun = if is_parameter { "parameter" } else { "key" };
        let name = shorten(key);
        let what = match (kind, is_required) {
            (ChangeKind::KeyAdded, true) => format!("the required {noun} `{name}` is new"),
            (ChangeKind::KeyAdded, false) => format!("the optional {noun} `{name}` is new"),
            (ChangeKind::KeyRemoved, true) => {
                format!("the {noun} `{name}`, which was required, is gone")
            }
            (ChangeKind::KeyRemoved, false) => format!("the optional {noun} `{name}` is gone"),
            (ChangeKind::KeyRequired, _) => {
                format!("the {noun} `{name}` is required, was optional")
            }
            _ => format!("the {noun} `{name}` is optional, was required"),
        };
        if let Some(added) = self.add(trail, kind, what) {
            added.key = Some(key.to_owned());
            added.before = old.map(|part| part.node.to_value());
            added.after = new.map(|part| part.node.to_value());
            added.old = old.or(added.old);
            added.new = new.or(added.new);
        }
    }

    /// Models see parameters in an order, and the first ones first.
    fn order<T: AsRef<str> + PartialEq>(&mut self, trail: &Rc<Trail<'v>>, was: &[&T], is: &[&T]) {
        let kept: Vec<&&T> = was.iter().filter(|key| is.contains(key)).collect();
        let now: Vec<&&T> = is.iter().filter(|key| was.contains(key)).collect();
        if kept != now {
            let first = now.first().map_or("", |key| key.as_ref());
            let what = format!("the keys are in another order, `{}` first", shorten(first));
            self.add(trail, ChangeKind::Order, what);
        }
    }

    pub(super) fn other_keys(
        &mut self,
        trail: &Rc<Trail<'v>>,
        old: &View<'v>,
        new: &View<'v>,
        depth: usize,
    ) {
        let keyword = Keyword::AdditionalProperties;
        let lists = [old, new].map(|view| view.all(keyword).collect::<Vec<_>>());
        if let ([was], [is]) = (&*lists[0], &*lists[1])
            && was.node.as_bool().is_none()
            && is.node.as_bool().is_none()
        {
            let [old, new] = [was, is].map(|part| self.sources.view([*part]));
            let inner = trail.then(Step::OtherKey, old.clone(), new.clone());
            return self.compare(&inner, &old, &new, depth + 1);
        }
        if texts(old, keyword) == texts(new, keyword) {
            return;
        }
        let refuses = [old, new].map(View::refuses_other_keys);
        let values = [old.get(keyword), new.get(keyword)];
        let what = match refuses {
            [true, false] => "other keys are allowed".to_owned(),
            [false, true] => "other keys are refused".to_owned(),
            _ => changed(keyword.name(), values[0], values[1]),
        };
        self.add_keyword(trail, ChangeKind::OtherKeys, keyword, values, what);
    }

    pub(super) fn items(
        &mut self,
        trail: &Rc<Trail<'v>>,
        old: &View<'v>,
        new: &View<'v>,
        depth: usize,
    ) {
        for keyword in [Keyword::PrefixItems, Keyword::Items] {
            let lists = [old, new].map(|view| view.all(keyword).collect::<Vec<_>>());
            let pair = match (&*lists[0], &*lists[1]) {
                ([was], [is]) => Some([*was, *is]),
                _ => None,
            };
            match pair {
                Some([was, is]) if keyword == Keyword::Items => {
                    let [old, new] = [was, is].map(|part| self.sources.view([part]));
                    let place = old_prefix(trail);
                    let inner = trail.then(Step::Item(place), old.clone(), new.clone());
                    self.compare(&inner, &old, &new, depth + 1);
                }
                Some([was, is]) if was.items().len() == is.items().len() => {
                    for (place, (was, is)) in was.items().into_iter().zip(is.items()).enumerate() {
                        let [old, new] = [was, is].map(|part| self.sources.view([part]));
                        let inner = trail.then(Step::Item(place), old.clone(), new.clone());
                        self.compare(&inner, &old, &new, depth + 1);
                    }
                }
                _ if texts(old, keyword) == texts(new, keyword) => {}
                _ => {
                    let values = [old.get(keyword), new.get(keyword)];
                    let what = changed(keyword.name(), values[0], values[1]);
                    self.add_keyword(trail, ChangeKind::Items, keyword, values, what);
                }
            }
        }
    }
}

/// The place of the first element that `items` is about.
fn old_prefix(trail: &Trail<'_>) -> usize {
    let lengths = [&trail.old, &trail.new].map(|view| {
        let lists = view.all(Keyword::PrefixItems);
        lists.map(|list| list.items().len()).max().unwrap_or(0)
    });
    lengths[0].max(lengths[1])
}
