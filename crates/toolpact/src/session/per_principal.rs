use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use toolpact_core::Principal;

/// What is made once for each principal, such as a session. The one that was used longest ago makes room for
/// another.
///
/// ```
/// use toolpact::Principal;
/// use toolpact::session::PerPrincipal;
///
/// let greetings = PerPrincipal::new(100);
/// let ada = Principal::new("ada");
/// assert_eq!(greetings.get(&ada, || "Hello, Ada!"), "Hello, Ada!");
/// assert_eq!(greetings.get(&ada, || "Who is that?"), "Hello, Ada!");
/// // What depends on groups is made again.
/// assert_eq!(greetings.get(&ada.groups(["staff"]), || "Welcome!"), "Welcome!");
/// ```
pub struct PerPrincipal<T> {
    most: usize,
    made: Mutex<Made<T>>,
}

struct Made<T> {
    all: HashMap<Exactly, (T, u64)>,
    /// Grows with each use.
    clock: u64,
}

/// A principal with all that is said about it.
#[derive(Clone)]
struct Exactly(Principal);

impl<T: Clone> PerPrincipal<T> {
    /// For so many principals.
    #[must_use]
    pub fn new(most: usize) -> Self {
        let made = Made {
            all: HashMap::new(),
            clock: 0,
        };
        Self {
            most: most.max(1),
            made: Mutex::new(made),
        }
    }

    /// What was made for this principal, or is made now, while others are not kept waiting.
    pub fn get(&self, principal: &Principal, make: impl FnOnce() -> T) -> T {
        let key = Exactly(principal.clone());
        if let Some(one) = self.made().use_now(&key) {
            return one;
        }
        let one = make();
        let mut known = self.made();
        // Somebody may have been faster.
        if let Some(first) = known.use_now(&key) {
            return first;
        }
        let oldest = match known.all.len() >= self.most {
            true => known.remove_oldest(),
            false => None,
        };
        let now = known.clock;
        known.all.insert(key, (one.clone(), now));
        drop(known);
        // To forget it may take a while.
        drop(oldest);
        one
    }

    fn made(&self) -> MutexGuard<'_, Made<T>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Made<T> {
    fn use_now(&mut self, key: &Exactly) -> Option<T> {
        self.clock += 1;
        let (one, used) = self.all.get_mut(key)?;
        *used = self.clock;
        Some(one.clone())
    }
}

impl<T> Made<T> {
    fn remove_oldest(&mut self) -> Option<T> {
        let oldest = self.all.iter().min_by_key(|(_, (_, used))| *used);
        let oldest = oldest.map(|(principal, _)| principal.clone())?;
        self.all.remove(&oldest).map(|(one, _)| one)
    }
}

impl PartialEq for Exactly {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_exactly(&other.0)
    }
}

impl Eq for Exactly {}

impl Hash for Exactly {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<T> fmt::Debug for PerPrincipal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerPrincipal")
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{PerPrincipal, Principal};

    #[test]
    fn the_one_used_longest_ago_makes_room() {
        let cache = PerPrincipal::new(2);
        let [ada, bob, eve] = ["ada", "bob", "eve"].map(Principal::new);
        cache.get(&ada, || 1);
        cache.get(&bob, || 2);
        assert_eq!(cache.get(&ada, || 10), 1);
        cache.get(&eve, || 3);
        assert_eq!(cache.get(&ada, || 10), 1);
        assert_eq!(cache.get(&bob, || 20), 20);
        assert_eq!(cache.get(&eve, || 30), 30);
    }

    /// Who asks for another's, or for their own again, does not wait until it is made.
    #[test]
    fn nobody_waits_for_what_is_made_for_others() {
        let cache = PerPrincipal::new(2);
        let [ada, bob] = ["ada", "bob"].map(Principal::new);
        let made = cache.get(&ada, || {
            assert_eq!(cache.get(&bob, || 2), 2);
            assert_eq!(cache.get(&ada, || 1), 1);
            10
        });
        assert_eq!((made, cache.get(&ada, || 11)), (1, 1));
    }
}
