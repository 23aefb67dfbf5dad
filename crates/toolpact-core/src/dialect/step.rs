//! The steps that convert a schema to a dialect, and the log of losses.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};

use crate::Pointer;

use super::loss::{Effect, Loss, LossKind};
use super::profile::Profile;
use super::tree::{Map, Tree};

/// One small change to a schema.
pub(super) struct Step {
    /// Its name in the documentation.
    pub(super) name: &'static str,
    /// What it does and why.
    pub(super) about: &'static str,
    pub(super) apply: fn(&mut Tree, &mut Log),
}

/// The log of a conversion.
pub(super) struct Log {
    /// What the dialect supports.
    pub(super) profile: &'static Profile,
    /// The place of the schema in the contract.
    pub(super) place: Pointer,
    pub(super) losses: Vec<Loss>,
    /// Why the tool cannot be exported at all.
    pub(super) refused: Option<Refusal>,
    /// The total weight of copies.
    copied: usize,
    /// The losses by hash, to find duplicates: a schema may have tens of thousands.
    known: HashMap<u64, Vec<usize>>,
    hasher: RandomState,
}

/// Most that all steps may copy: the number of values, with long texts counted as several.
const MOST_COPIED: usize = 200_000;

impl Log {
    pub(super) fn new(profile: &'static Profile, place: Pointer) -> Self {
        Self {
            profile,
            place,
            losses: Vec::new(),
            refused: None,
            copied: 0,
            known: HashMap::new(),
            hasher: RandomState::new(),
        }
    }

    /// Whether a schema may be copied this many times.
    pub(super) fn may_copy(&mut self, map: &Map, times: usize) -> bool {
        let more = weight(map).saturating_mul(times);
        self.copied = self.copied.saturating_add(more);
        self.copied <= MOST_COPIED
    }

    /// Logs a loss at a keyword of a schema. Duplicates, which copies of a schema cause, are
    /// skipped.
    pub(super) fn lose(
        &mut self,
        place: &Pointer,
        keyword: &str,
        (kind, effect): (LossKind, Effect),
        lost: impl Into<String>,
        instead: impl Into<String>,
    ) {
        let pointer = match keyword {
            "" => place.clone(),
            _ => place.key(keyword),
        };
        let new = Loss {
            pointer,
            kind,
            effect,
            lost: lost.into(),
            instead: instead.into(),
        };
        let hash = self.hasher.hash_one(new.to_string());
        let alike = self.known.entry(hash).or_default();
        if !alike.iter().any(|number| self.losses[*number] == new) {
            alike.push(self.losses.len());
            self.losses.push(new);
        }
    }

    /// Logs a loss that makes the export wider than the contract.
    pub(super) fn wider(
        &mut self,
        map: &Map,
        keyword: &str,
        kind: LossKind,
        lost: &str,
        instead: &str,
    ) {
        self.lose(map.place(), keyword, (kind, Effect::Wider), lost, instead);
    }

    /// Logs a loss that makes the export narrower than the contract.
    pub(super) fn narrower(
        &mut self,
        map: &Map,
        keyword: &str,
        kind: LossKind,
        lost: &str,
        instead: &str,
    ) {
        self.lose(
            map.place(),
            keyword,
            (kind, Effect::Narrower),
            lost,
            instead,
        );
    }

    /// Logs a rewrite that means the same.
    pub(super) fn rewritten(&mut self, map: &Map, keyword: &str, lost: &str, instead: &str) {
        let what = (LossKind::Rewritten, Effect::Documentation);
        self.lose(map.place(), keyword, what, lost, instead);
    }

    /// Refuses to export the tool. The first reason is kept.
    pub(super) fn refuse(&mut self, reason: impl Into<String>) {
        self.refused.get_or_insert(Refusal(reason.into()));
    }
}

/// Why a schema cannot be exported to a dialect: "it is nested 12 levels deep".
#[derive(Debug)]
pub(super) struct Refusal(String);

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of values in an object, including itself. Long texts count as several.
fn weight(map: &Map) -> usize {
    fn of(tree: &Tree) -> usize {
        match tree {
            Tree::Object(map) => weight(map),
            Tree::Array(items) => 1 + items.iter().map(of).sum::<usize>(),
            Tree::String(text) => 1 + text.len() / 64,
            _ => 1,
        }
    }
    let members = map.iter();
    1 + members
        .map(|(key, value)| of(value) + key.len() / 64)
        .sum::<usize>()
}
