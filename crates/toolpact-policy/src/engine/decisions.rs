//! What is remembered of callers and tools, within a bound.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolpact_core::Principal;

use super::standing::Standing;

/// How many bytes all that is remembered may take, as estimated: half of them for what was used lately, half for what
/// was used before that.
const MOST: usize = 64 << 20;

/// What an entry takes besides what is known about its caller.
const ENTRY: usize = 4 << 10;

/// How often what is known about a caller is in an entry: in its entity, and in its key.
const COPIES: usize = 2;

/// What policies say about callers and tools, found out before. What was not used for a while is forgotten.
#[derive(Default)]
pub(super) struct Decisions(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    new: HashMap<Key, Entry>,
    /// What was `new` before, and is forgotten next.
    old: HashMap<Key, Entry>,
    /// Of the new ones.
    bytes: usize,
}

#[derive(Clone)]
struct Entry {
    standing: Arc<Standing>,
    bytes: usize,
}

/// A caller with all that is known about it, and the number of a tool.
#[derive(Clone)]
struct Key(Principal, u64);

impl Decisions {
    pub(super) fn get(&self, principal: &Principal, tool: u64) -> Option<Arc<Standing>> {
        let key = Key(principal.clone(), tool);
        let mut generations = self.lock();
        if let Some(entry) = generations.new.get(&key) {
            return Some(Arc::clone(&entry.standing));
        }
        let entry = generations.old.remove(&key)?;
        let standing = Arc::clone(&entry.standing);
        let forgotten = generations.insert(key, entry);
        drop(generations);
        drop(forgotten);
        Some(standing)
    }

    pub(super) fn insert(&self, principal: &Principal, tool: u64, standing: &Arc<Standing>) {
        let bytes = ENTRY + COPIES * principal.fingerprint().len() + standing.bytes();
        let entry = Entry {
            standing: Arc::clone(standing),
            bytes,
        };
        let forgotten = self.lock().insert(Key(principal.clone(), tool), entry);
        // To forget many takes a while, which nobody else waits for.
        drop(forgotten);
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    /// Returns what is forgotten for it.
    fn insert(&mut self, key: Key, entry: Entry) -> HashMap<Key, Entry> {
        let mut forgotten = HashMap::new();
        if self.bytes + entry.bytes > MOST / 2 {
            forgotten = std::mem::replace(&mut self.old, std::mem::take(&mut self.new));
            self.bytes = 0;
        }
        self.bytes += entry.bytes;
        self.new.insert(key, entry);
        forgotten
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.1 == other.1 && self.0.is_exactly(&other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
        self.1.hash(state);
    }
}
