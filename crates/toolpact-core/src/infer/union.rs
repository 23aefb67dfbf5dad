//! Tagged unions: which key says what other keys there are.

use super::place::{Kinds, Objects};
use super::tags::{Candidate, Variant};

/// With fewer objects than this, keys may go together by chance.
const ENOUGH: u64 = 20;
/// As many objects have to have a key, and as many others have to be without it.
const ENOUGH_EACH: u64 = 10;
/// As many objects have to have each word.
const SEVERAL: u64 = 3;

/// Names that tags usually have.
const USUAL: [&str; 12] = [
    "type",
    "kind",
    "@type",
    "__typename",
    "event",
    "object",
    "op",
    "action",
    "tag",
    "method",
    "status",
    "_type",
];

/// The candidate that explains the most, if there is one.
pub(super) fn tag<'a>(objects: &'a Objects, names: &[&str]) -> Option<&'a Candidate> {
    let rated = objects.tags.candidates().iter().filter_map(|candidate| {
        let explained = explained(candidate, names.len())?;
        let name = names.get(candidate.key).copied().unwrap_or_default();
        let is_usual = USUAL.contains(&name);
        let rating = (
            explained,
            is_usual,
            std::cmp::Reverse(candidate.variants.len()),
        );
        Some((rating, candidate))
    });
    // Of equal ones, the first key counts.
    let best = rated.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, candidate)| candidate)
}

/// How many keys it explains; `None` if there are none, or too few examples.
fn explained(candidate: &Candidate, keys: usize) -> Option<usize> {
    let variants: Vec<&Variant> = candidate.variants.values().collect();
    let total: u64 = variants.iter().map(|variant| variant.count).sum();
    let is_enough = total >= ENOUGH && variants.iter().all(|variant| variant.count >= SEVERAL);
    if variants.len() < 2 || !is_enough {
        return None;
    }
    let others = (0..keys).filter(|key| *key != candidate.key);
    let explained = others.filter(|key| is_explained(*key, &variants)).count();
    (explained > 0).then_some(explained)
}

/// Whether a key is always there with some words and never with others, or has another type with each.
fn is_explained(key: usize, variants: &[&Variant]) -> bool {
    let sum = |wanted: &dyn Fn(&Variant) -> bool| -> u64 {
        let wanted = variants.iter().filter(|variant| wanted(variant));
        wanted.map(|variant| variant.count).sum()
    };
    let always = sum(&|variant| variant.cell(key).count == variant.count);
    let never = sum(&|variant| variant.cell(key).count == 0);
    if always >= ENOUGH_EACH && never >= ENOUGH_EACH {
        return true;
    }
    let kinds = |variant: &&Variant| variant.cell(key).kinds.without(Kinds::NULL);
    let first = variants.first().map(kinds).unwrap_or_default();
    let is_typed = variants.iter().all(|variant| kinds(variant).is_one());
    let other = sum(&|variant| !variant.cell(key).kinds.has(first));
    let same = sum(&|variant| variant.cell(key).kinds.has(first));
    is_typed && other >= ENOUGH_EACH && same >= ENOUGH_EACH
}
