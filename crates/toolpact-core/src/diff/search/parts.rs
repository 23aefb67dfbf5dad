//! Values of the part of a value that a difference is about, made to show the difference.

use std::collections::HashSet;

use crate::diff::ChangeKind;
use crate::diff::compare::Difference;
use crate::diff::inclusion::mentions;
use crate::json::{Kind, Number, Value, Whole};
use crate::schema::Keyword;
use crate::schema::view::{Part, View};

use super::Search;
use super::edit::{with_count, with_length, with_member, without_member};

/// Values of every type.
const USUAL: [&str; 14] = [
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "1.5",
    "\"\"",
    "\"text\"",
    "[]",
    "[null]",
    "[\"text\"]",
    "{}",
    "{\"key\":1}",
];
/// A key that schemas do not name.
pub(super) const OTHER: &str = "other";
/// Seeds of values of the part itself.
const SEEDS: u64 = 28;
/// Most elements or characters that are counted up to.
const COUNTED: usize = 3_000;
/// Most listed values that are tried.
const LISTED: usize = 200;

impl<'v> Search<'_, 'v> {
    /// The values, the most promising first, each once.
    pub(super) fn parts(
        &mut self,
        difference: &Difference<'v>,
        from: &View<'v>,
        to: &View<'v>,
    ) -> Vec<Value> {
        let mut parts = match (&difference.key, difference.keyword) {
            (Some(key), _) => self.objects(key, from, to),
            (None, Some(Keyword::Enum | Keyword::Const)) => listed(from),
            (
                None,
                Some(
                    Keyword::Minimum
                    | Keyword::Maximum
                    | Keyword::ExclusiveMinimum
                    | Keyword::ExclusiveMaximum
                    | Keyword::MultipleOf,
                ),
            ) => numbers(difference),
            (None, Some(Keyword::MinLength | Keyword::MaxLength)) => {
                let texts = counts(difference)
                    .into_iter()
                    .map(|count| Value::from("a".repeat(count).as_str()));
                texts.collect()
            }
            (None, Some(Keyword::MinItems | Keyword::MaxItems | Keyword::UniqueItems)) => {
                self.sized(difference, from, to, with_length)
            }
            (None, Some(Keyword::MinProperties | Keyword::MaxProperties)) => {
                self.sized(difference, from, to, with_count)
            }
            (
                None,
                Some(
                    Keyword::AdditionalProperties
                    | Keyword::UnevaluatedProperties
                    | Keyword::PatternProperties
                    | Keyword::PropertyNames,
                ),
            ) => self.objects(OTHER, from, to),
            (None, Some(Keyword::DependentRequired)) => self.with_keys_of(difference, from, to),
            (None, Some(Keyword::AnyOf | Keyword::OneOf)) => self.alternatives(difference, from),
            _ => Vec::new(),
        };
        let is_type = difference.kind == ChangeKind::Type;
        let usual = USUAL.iter().map(|json| Value::embedded(json));
        if is_type {
            parts.extend(usual.clone());
        }
        parts.extend((0..SEEDS).filter_map(|seed| self.draft(from, seed)));
        if !is_type {
            parts.extend(usual);
        }
        let mut seen = HashSet::new();
        parts.retain(|part| seen.insert(part.text().to_owned()));
        parts
    }

    /// Objects with a key and without it.
    fn objects(&mut self, key: &str, from: &View<'v>, to: &View<'v>) -> Vec<Value> {
        let both = self.both(from, to);
        let hosts: Vec<Value> = [(&both, 9), (&both, 1), (from, 9), (from, 1)]
            .into_iter()
            .filter_map(|(view, seed)| self.draft(view, seed))
            .filter(|host| host.kind() == Kind::Object)
            .collect();
        let member = self.member(from, key);
        let values: Vec<Value> = (0..12)
            .filter_map(|seed| self.draft(&member, seed))
            .collect();
        let usual = USUAL.iter().map(|json| Value::embedded(json));
        let values: Vec<Value> = values.into_iter().chain(usual).collect();
        // A key that nobody has heard of is no part of what `from` describes.
        let brings_others = |list: Part<'v>| list.node().get(key).is_some();
        let is_known = from.parts().iter().any(|part| mentions(*part, key))
            || to.all(Keyword::DependentRequired).any(brings_others);
        let is_described = !member.parts().is_empty() || is_known || key == OTHER;
        let values = if is_described { values } else { Vec::new() };
        let without = hosts.iter().map(|host| without_member(host, key));
        let with = values.iter().flat_map(|value| {
            hosts
                .iter()
                .map(move |host| with_member(host, key, value.text()))
        });
        let bare = values
            .iter()
            .map(|value| with_member(&Value::embedded("{}"), key, value.text()));
        without.chain(with).chain(bare).collect()
    }

    /// Objects with each key that brings others with it, and with all and little beside it.
    fn with_keys_of(
        &mut self,
        difference: &Difference<'v>,
        from: &View<'v>,
        to: &View<'v>,
    ) -> Vec<Value> {
        let after = [&difference.before, &difference.after];
        let lists = after.into_iter().flatten();
        let keys = lists.flat_map(|list| list.root().members().map(|(key, _)| key.into_owned()));
        let keys: Vec<String> = keys.take(LISTED).collect();
        keys.iter()
            .flat_map(|key| self.objects(key, from, to))
            .collect()
    }

    /// Values with counts on both sides of each limit.
    fn sized(
        &mut self,
        difference: &Difference<'v>,
        from: &View<'v>,
        to: &View<'v>,
        resize: fn(&Value, usize) -> Value,
    ) -> Vec<Value> {
        let both = self.both(from, to);
        let hosts = [(&both, 1), (from, 1), (from, 17), (from, 18)];
        let hosts: Vec<Value> = hosts
            .into_iter()
            .filter_map(|(view, seed)| self.draft(view, seed))
            .collect();
        let mut counts = counts(difference);
        counts.extend([2, 3]);
        let counts = counts.into_iter();
        counts
            .flat_map(|count| hosts.iter().map(move |host| resize(host, count)))
            .collect()
    }

    /// Values of the alternatives that differ, and of each one that there was.
    fn alternatives(&mut self, difference: &Difference<'v>, from: &View<'v>) -> Vec<Value> {
        let own = [difference.old, difference.new].into_iter().flatten();
        let lists = from.choices();
        let branches = own.chain(lists.into_iter().flat_map(Part::items)).take(40);
        let branches: Vec<Part<'v>> = branches.collect();
        let mut values = Vec::new();
        for branch in branches {
            let view = self
                .sources
                .view(from.parts().iter().copied().chain([branch]));
            values.extend(
                [1, 9, 16, 17, 18]
                    .into_iter()
                    .filter_map(|seed| self.draft(&view, seed)),
            );
        }
        values
    }
}

/// The values that are listed, and that they are not among.
fn listed(from: &View<'_>) -> Vec<Value> {
    let values = from.values().unwrap_or_default().into_iter();
    values
        .take(LISTED)
        .map(crate::json::Node::to_value)
        .collect()
}

/// Numbers at the limits and beside them.
fn numbers(difference: &Difference<'_>) -> Vec<Value> {
    let limits = [&difference.before, &difference.after]
        .into_iter()
        .flatten();
    let mut numbers = Vec::new();
    for limit in limits {
        let Some(number) = limit.root().as_number() else {
            continue;
        };
        numbers.push(number.text().to_owned());
        match number.whole() {
            Whole::Integer(whole) => {
                let near = [-2, -1, 1, 2]
                    .into_iter()
                    .filter_map(|step| whole.checked_add(step));
                numbers.extend(near.map(|one| one.to_string()));
                numbers.extend([
                    format!("{whole}.5"),
                    format!("-{whole}.5").replace("--", ""),
                ]);
            }
            _ => {
                let at = number.as_f64();
                let near = [
                    at - 0.5,
                    at + 0.5,
                    at * 0.999,
                    at * 1.001,
                    at.floor(),
                    at.ceil(),
                ];
                let near = near.into_iter().filter(|one| one.is_finite());
                numbers.extend(near.filter_map(|one| serde_json::to_string(&one).ok()));
            }
        }
    }
    numbers.extend(["7", "1000000", "-1000000"].map(str::to_owned));
    numbers
        .iter()
        .filter_map(|number| Value::from_json(number).ok())
        .collect()
}

/// Counts at the limits and beside them.
fn counts(difference: &Difference<'_>) -> Vec<usize> {
    let limits = [&difference.before, &difference.after]
        .into_iter()
        .flatten();
    let limits = limits.filter_map(|limit| match limit.root().as_number().map(Number::whole)? {
        Whole::Integer(limit) => usize::try_from(limit).ok(),
        _ => None,
    });
    let near = limits.flat_map(|limit| [limit, limit.saturating_sub(1), limit.saturating_add(1)]);
    near.filter(|count| *count <= COUNTED).collect()
}
