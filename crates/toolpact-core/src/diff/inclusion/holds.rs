//! Whether what a keyword asks is known to hold.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::check::is_enforced_format;
use crate::json::Kind;
use crate::schema::view::{Part, View};
use crate::schema::{Keyword, keywords};

use super::{Left, Prover, Types};

impl<'v> Prover<'v> {
    /// Whether every value of `left` satisfies a schema, without the schemas that it refers to.
    pub(super) fn part_holds(&mut self, left: &Left<'v>, part: Part<'v>) -> bool {
        if let Some(says) = part.node.as_bool() {
            return says || self.is_empty(left);
        }
        if left.view.parts().iter().any(|one| is_same(*one, part)) {
            return true;
        }
        if let Some(values) = left.values() {
            let accepts = |prover: &mut Self, value| {
                prover.accepts(part, value) == Some(true) || prover.refuses(left, value)
            };
            if values.into_iter().all(|value| accepts(self, value)) {
                return true;
            }
        }
        // Where values are listed, it is said what is inside of them.
        let is_literal = self.is_literal || left.values().is_some();
        let before = std::mem::replace(&mut self.is_literal, is_literal);
        let is_shown = keywords(part.node).all(|(keyword, _)| self.holds(left, part, keyword));
        self.is_literal = before;
        is_shown
    }

    /// Whether every value of `left` satisfies one keyword of a schema.
    pub(in crate::diff) fn holds(
        &mut self,
        left: &Left<'v>,
        part: Part<'v>,
        keyword: Keyword,
    ) -> bool {
        use Keyword as K;
        let Some(value) = part.get(keyword) else {
            return true;
        };
        if left.types.and(Types::about(keyword)).is_empty() {
            return true;
        }
        if !self.spend(1) {
            return false;
        }
        match keyword {
            K::Ref => self.sources.is_resolved(part),
            K::AllOf | K::Then | K::Else | K::MinContains | K::MaxContains => true,
            K::Type => left.types.is_in(Types::listed(value.node)),
            K::Const | K::Enum => self.is_listed(left, value.node, keyword),
            K::Minimum | K::ExclusiveMinimum => left.is_above(keyword, value.node),
            K::Maximum | K::ExclusiveMaximum => left.is_below(keyword, value.node),
            K::MultipleOf => left.is_multiple(value.node),
            K::MinLength | K::MinItems => left.at_least(keyword, part, 0),
            K::MaxLength => left.at_most(keyword, part, usize::MAX),
            K::MaxItems => left.at_most(keyword, part, left.most_items()),
            K::MinProperties => left.at_least(keyword, part, left.view.required().len()),
            K::MaxProperties => left.at_most(keyword, part, left.most_members()),
            K::Pattern => left.says(keyword, value),
            K::Format => {
                let name = value.node.as_str().unwrap_or_default();
                !is_enforced_format(&name) || left.says(keyword, value)
            }
            K::UniqueItems => {
                let is_asked = value.node.as_bool() == Some(true);
                !is_asked || left.says(keyword, value) || left.most_items() <= 1
            }
            K::Items => self.items_hold(left, part, value),
            K::PrefixItems => self.prefix_holds(left, value),
            K::Contains => self.contains_holds(left, part, value),
            K::Required => {
                let known = left.view.required();
                let mut names = value.node.items().filter_map(crate::json::Node::as_str);
                names.all(|name| known.contains(&name))
            }
            K::Properties => self.properties_hold(left, value),
            K::AdditionalProperties => self.others_hold(left, part, value),
            K::PatternProperties => self.patterns_hold(left, value),
            K::PropertyNames => self.names_hold(left, value),
            K::AnyOf => value.items().iter().any(|one| self.implies(left, *one)),
            K::OneOf => self.one_of_holds(left, value),
            K::Not => self.not_holds(left, value),
            K::If => self.condition_holds(left, part, value),
            K::DependentRequired => self.dependent_names_hold(left, value),
            K::DependentSchemas => self.dependent_schemas_hold(left, value),
            K::UnevaluatedProperties if applies_nothing_else(part) => {
                self.others_hold(left, part, value)
            }
            K::UnevaluatedItems | K::UnevaluatedProperties => says_nothing(value),
            _ => !keyword.asserts() || same_group(left, part, &[keyword]),
        }
    }

    fn is_listed(
        &mut self,
        left: &Left<'v>,
        list: crate::json::Node<'v>,
        keyword: Keyword,
    ) -> bool {
        let Some(values) = left.values() else {
            return false;
        };
        let mut listed: Vec<String> = match keyword {
            Keyword::Const => vec![list.to_value().to_canonical()],
            _ => list.items().map(|v| v.to_value().to_canonical()).collect(),
        };
        listed.sort_unstable();
        self.spend(values.len() + listed.len())
            && values.into_iter().all(|value| {
                let text = value.to_value().to_canonical();
                listed.binary_search(&text).is_ok() || self.refuses(left, value)
            })
    }
}

impl<'v> Left<'v> {
    /// Whether one of the schemas has a keyword with this value.
    fn says(&self, keyword: Keyword, value: Part<'v>) -> bool {
        let mut said = self.view.all(keyword);
        said.any(|one| is_equal(one, value))
    }

    fn at_least(&self, keyword: Keyword, part: Part<'v>, known: usize) -> bool {
        let asked = count(part, keyword);
        asked.is_none_or(|asked| {
            known >= asked || self.counts(keyword).max().is_some_and(|one| one >= asked)
        })
    }

    fn at_most(&self, keyword: Keyword, part: Part<'v>, known: usize) -> bool {
        let asked = count(part, keyword);
        asked.is_none_or(|asked| {
            known <= asked || self.counts(keyword).min().is_some_and(|one| one <= asked)
        })
    }

    /// What the schemas say under a keyword that counts.
    pub(super) fn counts(&self, keyword: Keyword) -> impl Iterator<Item = usize> {
        let parts = self.view.parts().iter();
        parts.filter_map(move |part| count(*part, keyword))
    }
}

/// The value of a keyword that counts.
fn count(part: Part<'_>, keyword: Keyword) -> Option<usize> {
    use crate::json::{Number, Whole};
    match part.get(keyword)?.node.as_number().map(Number::whole)? {
        Whole::Integer(count) => Some(usize::try_from(count).unwrap_or(0)),
        Whole::TooLarge => Some(usize::MAX),
        Whole::Fraction => None,
    }
}

/// Whether they have the same text and refer to nothing, so that they mean the same.
pub(super) fn is_same(one: Part<'_>, other: Part<'_>) -> bool {
    one.node.text() == other.node.text() && !refers(one)
}

/// The same, whatever the order of members.
pub(super) fn is_equal(one: Part<'_>, other: Part<'_>) -> bool {
    if is_same(one, other) {
        return true;
    }
    let numbers = one.node.as_number().zip(other.node.as_number());
    if let Some((one, other)) = numbers {
        return one.compare(other) == Ordering::Equal;
    }
    one.node.kind() == other.node.kind()
        && matches!(one.node.kind(), Kind::String | Kind::Array | Kind::Object)
        && !refers(one)
        && one.node.to_value() == other.node.to_value()
}

/// Whether it may have references in it.
pub(in crate::diff) fn refers(part: Part<'_>) -> bool {
    let text = part.node.text();
    // An escape could hide one.
    text.contains("Ref\"") || text.contains("$ref") || text.contains("\\u")
}

/// Whether one of the schemas says the same under each of these keywords.
pub(super) fn same_group<'v>(left: &Left<'v>, part: Part<'v>, group: &[Keyword]) -> bool {
    let is_same = |one: &Part<'v>| {
        let mut group = group.iter();
        group.all(|keyword| match (one.get(*keyword), part.get(*keyword)) {
            (None, None) => true,
            (Some(one), Some(other)) => is_equal(one, other),
            _ => false,
        })
    };
    left.view.parts().iter().any(is_same)
}

/// Whether a schema accepts everything.
pub(super) fn says_nothing(part: Part<'_>) -> bool {
    let is_empty = part.node.kind() == Kind::Object && part.node.members().next().is_none();
    part.node.as_bool() == Some(true) || is_empty
}

/// Whether no other keyword of a schema evaluates members in place.
fn applies_nothing_else(part: Part<'_>) -> bool {
    const APPLIES: [Keyword; 9] = [
        Keyword::Ref,
        Keyword::DynamicRef,
        Keyword::AllOf,
        Keyword::AnyOf,
        Keyword::OneOf,
        Keyword::If,
        Keyword::Not,
        Keyword::DependentSchemas,
        Keyword::Dependencies,
    ];
    APPLIES.iter().all(|keyword| part.get(*keyword).is_none())
        && part.get(Keyword::AdditionalProperties).is_none()
}

/// The names in a list.
pub(super) fn names<'v>(view: &View<'v>, keyword: Keyword) -> Vec<Cow<'v, str>> {
    let lists = view.all(keyword);
    let names = lists.flat_map(|part| part.node.members().map(|(name, _)| name));
    names.collect()
}
