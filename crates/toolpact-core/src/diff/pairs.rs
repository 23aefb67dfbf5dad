//! Which tool of one side is which of the other.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::contract::Contract;
use crate::json::{Kind, Node};
use crate::model::{Digest, ToolName};

/// Most pairs of tools that are compared by what they say.
const MOST: usize = 1_000_000;
/// How alike the descriptions and the parameters must be, each.
const ALIKE: f64 = 0.6;
/// How alike both together must be.
const ALIKE_TOGETHER: f64 = 0.75;

/// A tool of the old side, of the new side, or of both.
pub(super) struct Pair<'c> {
    pub(super) old: Option<&'c Contract>,
    pub(super) new: Option<&'c Contract>,
}

/// Pairs the tools by their names; the rest if they are the same but for the name, if the names are spelled in
/// another way only, or if they are much alike.
pub(super) fn pairs<'c>(
    old: impl Iterator<Item = &'c Contract>,
    new: impl Iterator<Item = &'c Contract>,
) -> Vec<Pair<'c>> {
    let mut by_name: HashMap<&str, VecDeque<&Contract>> = HashMap::new();
    let old: Vec<&Contract> = old.collect();
    for contract in &old {
        by_name
            .entry(contract.name().as_str())
            .or_default()
            .push_back(contract);
    }
    let mut pairs: Vec<Pair<'c>> = new
        .map(|contract| {
            let same = by_name.get_mut(contract.name().as_str());
            let old = same.and_then(VecDeque::pop_front);
            Pair {
                old,
                new: Some(contract),
            }
        })
        .collect();
    let open: HashSet<*const Contract> = by_name
        .into_values()
        .flatten()
        .map(std::ptr::from_ref)
        .collect();
    let mut gone = old.clone();
    gone.retain(|contract| open.contains(&std::ptr::from_ref(*contract)));
    // Of several that are the same, the one whose name is spelled like this.
    let are_identical = |old: &Contract, new: &Contract| nameless(old) == nameless(new);
    pair_spelled(&mut pairs, &mut gone, &old, are_identical);
    pair_identical(&mut pairs, &mut gone);
    pair_spelled(&mut pairs, &mut gone, &old, |_, _| true);
    pair_alike(&mut pairs, &mut gone);
    let gone = gone.into_iter();
    pairs.extend(gone.map(|old| Pair {
        old: Some(old),
        new: None,
    }));
    pairs
}

/// Those whose names differ in case and separators only, unless another tool of either side has such a name, too.
fn pair_spelled<'c>(
    pairs: &mut [Pair<'c>],
    gone: &mut Vec<&'c Contract>,
    all_old: &[&'c Contract],
    is_same: impl Fn(&Contract, &Contract) -> bool,
) {
    if gone.is_empty() {
        return;
    }
    let before = only_ones(all_old.iter().copied());
    let after = only_ones(pairs.iter().filter_map(|pair| pair.new));
    let open: HashSet<*const Contract> = gone.iter().map(|old| std::ptr::from_ref(*old)).collect();
    for pair in added(pairs) {
        let Some(spelling) = pair.new.map(spelling) else {
            continue;
        };
        if let (Some(Some(old)), Some(Some(new))) = (before.get(&spelling), after.get(&spelling))
            && open.contains(&std::ptr::from_ref(*old))
            && is_same(old, new)
        {
            pair.old = Some(old);
        }
    }
    retain_open(pairs, gone);
}

/// The tools by the spelling of their names; `None` where several have the same.
fn only_ones<'c>(
    contracts: impl Iterator<Item = &'c Contract>,
) -> HashMap<String, Option<&'c Contract>> {
    let mut ones = HashMap::new();
    for contract in contracts {
        let one = ones.entry(spelling(contract));
        one.and_modify(|one| *one = None).or_insert(Some(contract));
    }
    ones
}

/// What `getTinyImage` and `get-tiny-image` have in common. `v1_2` and `v12` are other versions.
fn spelling(contract: &Contract) -> String {
    let name = contract.name().as_str();
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut spelling = String::with_capacity(name.len());
    let mut is_separated = false;
    for c in name.chars() {
        let is_separator = matches!(c, '_' | '-');
        if !is_separator {
            if is_separated && is_digit(Some(c)) && is_digit(spelling.chars().next_back()) {
                spelling.push('_');
            }
            spelling.push(c.to_ascii_lowercase());
        }
        is_separated = is_separator;
    }
    spelling
}

/// Those that are the same but for their names.
fn pair_identical<'c>(pairs: &mut [Pair<'c>], gone: &mut Vec<&'c Contract>) {
    if gone.is_empty() {
        return;
    }
    let mut by_digest: HashMap<Digest, VecDeque<&Contract>> = HashMap::new();
    for contract in gone.iter() {
        if let Some(digest) = nameless(contract) {
            by_digest.entry(digest).or_default().push_back(contract);
        }
    }
    for pair in added(pairs) {
        let digest = pair.new.and_then(nameless);
        let same = digest.and_then(|digest| by_digest.get_mut(&digest));
        pair.old = same.and_then(VecDeque::pop_front);
    }
    retain_open(pairs, gone);
}

/// Those that are most alike, the best first.
fn pair_alike<'c>(pairs: &mut [Pair<'c>], gone: &mut Vec<&'c Contract>) {
    let mut open: Vec<&mut Pair<'c>> = added(pairs).collect();
    if gone.is_empty() || gone.len().saturating_mul(open.len()) > MOST {
        return;
    }
    let before: Vec<Features> = gone.iter().map(|contract| Features::of(contract)).collect();
    let after = open.iter().filter_map(|pair| pair.new);
    let after: Vec<Features> = after.map(Features::of).collect();
    let mut scores = Vec::new();
    for (one, features) in before.iter().enumerate() {
        let others = after.iter().enumerate();
        scores.extend(others.filter_map(|(other, o)| Some((features.likeness(o)?, one, other))));
    }
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut taken = HashSet::new();
    for (_, one, other) in scores {
        if let (Some(pair), true) = (open.get_mut(other), !taken.contains(&one))
            && pair.old.is_none()
        {
            pair.old = gone.get(one).copied();
            taken.insert(one);
        }
    }
    retain_open(pairs, gone);
}

fn added<'p, 'c>(pairs: &'p mut [Pair<'c>]) -> impl Iterator<Item = &'p mut Pair<'c>> {
    pairs.iter_mut().filter(|pair| pair.old.is_none())
}

fn retain_open<'c>(pairs: &[Pair<'c>], gone: &mut Vec<&'c Contract>) {
    let paired: HashSet<*const Contract> = pairs
        .iter()
        .filter_map(|pair| pair.old)
        .map(std::ptr::from_ref)
        .collect();
    gone.retain(|contract| !paired.contains(&std::ptr::from_ref(*contract)));
}

/// The digest of all but the names.
fn nameless(contract: &Contract) -> Option<Digest> {
    let name = ToolName::new("tool").ok()?;
    Some(contract.renamed(name).without_original_name().digest())
}

/// What a tool says of itself, in words.
struct Features {
    description: HashSet<String>,
    parameters: HashSet<String>,
}

impl Features {
    fn of(contract: &Contract) -> Self {
        /// Words and keys beyond these tell nothing new.
        const MOST: usize = 500;
        let words = contract.description().split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
        let schema = contract.parameters().to_json_schema();
        let properties = schema.root().get("properties");
        let properties = properties.into_iter().flat_map(Node::members);
        let keys = properties.map(|(name, schema)| format!("{name}:{}", kind(schema)));
        Self {
            description: words.take(MOST).collect(),
            parameters: keys.take(MOST).collect(),
        }
    }

    /// `None` if they are not alike.
    fn likeness(&self, other: &Self) -> Option<f64> {
        let said = overlap(&self.description, &other.description);
        if said < ALIKE {
            return None;
        }
        let taken = overlap(&self.parameters, &other.parameters);
        let both = f64::midpoint(said, taken);
        (taken >= ALIKE && both >= ALIKE_TOGETHER).then_some(both)
    }
}

fn kind(schema: Node<'_>) -> String {
    let word = schema
        .get("type")
        .filter(|word| word.kind() == Kind::String);
    word.map_or_else(String::new, |word| word.text().to_owned())
}

/// The part of all words that both have.
fn overlap(one: &HashSet<String>, other: &HashSet<String>) -> f64 {
    let both = one.intersection(other).count();
    let all = one.len() + other.len() - both;
    if all == 0 {
        return 1.0;
    }
    let [both, all] = [both, all].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    f64::from(both) / f64::from(all)
}
