//! Types, values, limits and conditions.

use std::rc::Rc;

use crate::diff::ChangeKind;
use crate::diff::inclusion::Types;
use crate::schema::view::{Part, View};
use crate::schema::{JsonType, Keyword, Role};
use crate::text::{list, shorten};

use super::{Trail, Walk, changed, texts, values_of};

impl<'v> Walk<'v> {
    pub(super) fn types(&mut self, trail: &Rc<Trail<'v>>, old: &View<'v>, new: &View<'v>) {
        if declared(old) == declared(new) {
            return;
        }
        let values = [old.get(Keyword::Type), new.get(Keyword::Type)];
        let [was, is] = [old, new].map(type_names);
        let what = format!("is {is}, was {was}");
        self.add_keyword(trail, ChangeKind::Type, Keyword::Type, values, what);
    }

    pub(super) fn values(&mut self, trail: &Rc<Trail<'v>>, old: &View<'v>, new: &View<'v>) {
        let [before, after] = [old, new].map(listed);
        let both = |view: &View<'v>| view.get(Keyword::Enum).or_else(|| view.get(Keyword::Const));
        let what = match (&before, &after) {
            (None, None) => return,
            (Some(before), Some(after)) => {
                let gone = missing(before, after);
                let more = missing(after, before);
                match (gone.is_empty(), more.is_empty()) {
                    (true, true) => return,
                    (false, true) => format!("does not list {} any more", named(&gone)),
                    (true, false) => format!("lists {} in addition", named(&more)),
                    (false, false) => {
                        format!("lists {}, and not {} any more", named(&more), named(&gone))
                    }
                }
            }
            (None, Some(after)) => format!("is one of {}, was any value", named(after)),
            (Some(before), None) => format!("is any value, was one of {}", named(before)),
        };
        let parts = [both(old), both(new)];
        let keyword = match parts[1].or(parts[0]) {
            Some(_) if new.get(Keyword::Enum).is_none() && new.get(Keyword::Const).is_some() => {
                Keyword::Const
            }
            _ => Keyword::Enum,
        };
        self.add_keyword(trail, ChangeKind::Values, keyword, parts, what);
        if let Some(added) = self.found.last_mut() {
            added.before = before.as_deref().and_then(values_of);
            added.after = after.as_deref().and_then(values_of);
        }
    }

    /// All keywords that are compared as they are written.
    pub(super) fn scalars(&mut self, trail: &Rc<Trail<'v>>, old: &View<'v>, new: &View<'v>) {
        for keyword in Keyword::ALL.iter().copied() {
            let Some(kind) = kind(keyword) else { continue };
            if texts(old, keyword) == texts(new, keyword) {
                continue;
            }
            let values = [old, new].map(|view| view.get(keyword));
            let what = changed(keyword.name(), values[0], values[1]);
            self.add_keyword(trail, kind, keyword, values, what);
        }
        let is_refused = [old, new].map(|view| view.parts().iter().any(|part| is_never(*part)));
        let what = match is_refused {
            [false, true] => "allows nothing any more",
            [true, false] => "is allowed",
            _ => return,
        };
        self.add(trail, ChangeKind::Type, what.to_owned());
    }
}

fn is_never(part: Part<'_>) -> bool {
    part.node.as_bool() == Some(false)
}

/// What a change of a keyword is called, if it is compared as it is written.
fn kind(keyword: Keyword) -> Option<ChangeKind> {
    use Keyword as K;
    match keyword {
        // These are looked into.
        K::Type
        | K::Enum
        | K::Const
        | K::Properties
        | K::Required
        | K::AdditionalProperties
        | K::Items
        | K::PrefixItems
        | K::AnyOf
        | K::OneOf
        | K::AllOf
        | K::Ref => None,
        _ => match keyword.role() {
            Role::Constraint | Role::Format => Some(ChangeKind::Limit),
            Role::Condition | Role::Keys | Role::OtherKeys | Role::Tuple => {
                Some(ChangeKind::Condition)
            }
            Role::Reference => Some(ChangeKind::Schema),
            _ => None,
        },
    }
}

/// The types that `type` leaves; `None` if it says nothing.
fn declared(view: &View<'_>) -> Option<Types> {
    let listed = view.all(Keyword::Type).map(|part| Types::listed(part.node));
    listed.reduce(Types::and)
}

fn type_names(view: &View<'_>) -> String {
    let Some(types) = view.types() else {
        return "of any type".to_owned();
    };
    let names: Vec<&str> = types.into_iter().map(JsonType::name).collect();
    match &*names {
        [] => "of no type".to_owned(),
        [one] => (*one).to_owned(),
        _ => names.join(" or "),
    }
}

/// The values that are listed, in canonical form.
fn listed(view: &View<'_>) -> Option<Vec<String>> {
    let values = view.values()?;
    Some(
        values
            .into_iter()
            .map(|value| value.to_value().to_canonical())
            .collect(),
    )
}

fn missing(from: &[String], others: &[String]) -> Vec<String> {
    let others: std::collections::HashSet<&String> = others.iter().collect();
    from.iter()
        .filter(|one| !others.contains(one))
        .cloned()
        .collect()
}

fn named(values: &[String]) -> String {
    let values: Vec<String> = values.iter().map(|value| shorten(value)).collect();
    list(values.iter().map(String::as_str))
}
