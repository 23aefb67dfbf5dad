//! Maps told from objects: keys that are data, such as identifiers, and not names of fields.

use indexmap::IndexMap;

use super::observed::{Observed, ROOT};
use super::place::{Kinds, Member, Members, Objects, PlaceId};
use crate::check::TextFormat;

/// Fewer keys than this are taken for fields, unless they look like data.
const FIELDS: usize = 6;

impl Observed {
    /// The same, with objects that look like maps as maps.
    pub(super) fn settled(&self) -> Self {
        let mut settled = self.clone();
        settled.settle(ROOT);
        settled
    }

    fn settle(&mut self, at: PlaceId) {
        if let Some(mut objects) = self.places[at].objects.take() {
            if self.is_map(&objects) {
                self.collapse(&mut objects.members);
                objects.tags.give_up();
            }
            self.places[at].objects = Some(objects);
        }
        for child in self.places[at].children() {
            self.settle(child);
        }
    }

    fn is_map(&self, objects: &Objects) -> bool {
        let Members::Keys(keys) = &objects.members else {
            return false;
        };
        if keys.len() < 2 || !self.are_alike(keys) {
            return false;
        }
        if keys.keys().all(|key| is_data(key)) {
            return true;
        }
        let often = keys.values().map(|member| member.count).max().unwrap_or(0);
        let once = keys.values().filter(|member| member.count == 1).count();
        let once = u64::try_from(once).unwrap_or(u64::MAX);
        // No key is in half of the objects, and objects still bring new ones.
        keys.len() >= FIELDS && often * 2 <= objects.count && once * 50 >= objects.count
    }

    /// Whether all values are of one type, and objects among them have the same keys.
    fn are_alike(&self, keys: &IndexMap<Box<str>, Member>) -> bool {
        let places = || keys.values().map(|member| member.place);
        let kinds = places().fold(Kinds::default(), |all, place| all.and(self.kinds(place)));
        let is_one = kinds.is_one() || kinds == Kinds::NULL;
        is_one && (!kinds.has(Kinds::OBJECT) || self.have_same_keys(&places().collect::<Vec<_>>()))
    }

    fn have_same_keys(&self, places: &[PlaceId]) -> bool {
        let of = |place: &PlaceId| match self.places[*place].objects.as_deref().map(|o| &o.members)
        {
            Some(Members::Keys(keys)) => Some(keys),
            _ => None,
        };
        let all: Vec<_> = places.iter().filter_map(of).collect();
        let mut union: Vec<&str> = all
            .iter()
            .flat_map(|keys| keys.keys())
            .map(|key| &**key)
            .collect();
        let sum = union.len();
        union.sort_unstable();
        union.dedup();
        // On average, each object has two thirds of all keys that there are.
        union.len() * all.len() * 2 <= sum * 3
    }
}

/// Whether a key is no name: a UUID, a date, an address, or digits.
fn is_data(key: &str) -> bool {
    let is_number = !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
    is_number || TextFormat::ALL.iter().any(|format| format.holds(key))
}
