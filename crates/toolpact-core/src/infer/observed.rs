use super::place::{Kinds, Member, Members, Objects, Place, PlaceId};
use crate::json::{Kind, Node, Value};

/// What was seen in many values: which types at which places, how often, with which keys and words.
///
/// It takes memory for the places and not for the values, and never for more than 20,000 places: what has more
/// keys than that leaves room for is taken for a map. Two can be [merged](Self::merge), so that values can be
/// read by several threads.
///
/// ```
/// use toolpact_core::infer::{Observed, Settings};
/// use toolpact_core::json::Value;
///
/// let mut observed = Observed::new();
/// for text in [r#"{"id": 1, "note": null}"#, r#"{"id": 2}"#, r#"{"id": 3, "note": "late"}"#] {
///     observed.add(&Value::from_json(text)?);
/// }
/// let schema = observed.schema(&Settings::default()).schema;
/// assert_eq!(
///     schema.text(),
///     r#"{"type":"object","properties":{"id":{"type":"integer"},"note":{"type":["string","null"]}},"required":["id"],"additionalProperties":false}"#
/// );
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug, Clone)]
pub struct Observed {
    pub(super) places: Vec<Place>,
    /// Places that are not in use.
    free: Vec<PlaceId>,
    /// The most keys of an object that have places of their own.
    keys: usize,
    /// The most levels that are looked into.
    levels: usize,
}

/// The place of the whole value.
pub(super) const ROOT: PlaceId = 0;
/// More places than this are not kept.
const MOST_PLACES: usize = 20_000;
/// More than this are not made, even by one value.
const ROOM: usize = 4 * MOST_PLACES;
/// At first.
const MOST_KEYS: usize = 256;
/// At first. Places are visited by recursion, so this bounds it.
const MOST_LEVELS: usize = 64;

impl Default for Observed {
    fn default() -> Self {
        Self::new()
    }
}

impl Observed {
    /// Nothing was seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            places: vec![Place::default()],
            free: Vec::new(),
            keys: MOST_KEYS,
            levels: MOST_LEVELS,
        }
    }

    /// How many values were seen.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.places[ROOT].count()
    }

    /// Adds a value.
    pub fn add(&mut self, value: &Value) {
        self.add_node(value.root());
    }

    /// Adds a value that is a part of another.
    pub fn add_node(&mut self, node: Node<'_>) {
        self.fold(ROOT, node, 0);
        self.tighten();
    }

    /// Adds what was seen elsewhere. However values are divided and in which order their parts are merged, the
    /// outcome is that of adding one after the other, unless there are too many places.
    pub fn merge(&mut self, other: Self) {
        self.keys = self.keys.min(other.keys);
        self.levels = self.levels.min(other.levels);
        let offset = self.places.len();
        self.free.extend(other.free.iter().map(|id| id + offset));
        let moved = other.places.into_iter().map(|place| moved(place, offset));
        self.places.extend(moved);
        self.absorb(ROOT, offset);
        self.tighten();
    }

    fn fold(&mut self, at: PlaceId, node: Node<'_>, level: usize) {
        let place = &mut self.places[at];
        match node.kind() {
            Kind::Null => place.nulls += 1,
            Kind::Bool => place.booleans += 1,
            Kind::Number => {
                if let Some(number) = node.as_number() {
                    place.numbers.add(number);
                }
            }
            Kind::String => {
                let text = node.as_str().unwrap_or_default();
                place.strings.get_or_insert_default().add(&text);
            }
            Kind::Array | Kind::Object if level >= self.levels => place.unseen += 1,
            Kind::Array => self.fold_array(at, node, level),
            Kind::Object => self.fold_object(at, node, level),
        }
    }

    fn fold_array(&mut self, at: PlaceId, node: Node<'_>, level: usize) {
        let mut arrays = self.places[at].arrays.take().unwrap_or_default();
        arrays.count += 1;
        let mut length = 0;
        for item in node.items() {
            length += 1;
            arrays.items = arrays.items.or_else(|| self.new_place(at));
            if let Some(items) = arrays.items {
                self.fold(items, item, level + 1);
            }
        }
        arrays.lengths.add(length);
        self.places[at].arrays = Some(arrays);
    }

    fn fold_object(&mut self, at: PlaceId, node: Node<'_>, level: usize) {
        let mut objects = self.places[at].objects.take().unwrap_or_default();
        objects.count += 1;
        let (mut seen, mut next) = (Vec::new(), 0);
        let wants_tags = objects.tags.are_wanted();
        for (key, value) in node.members() {
            let Some((child, number)) = self.member(at, &mut objects, &key, next) else {
                continue;
            };
            next = number + 1;
            if wants_tags {
                seen.push((number, value));
            }
            self.fold(child, value, level + 1);
        }
        match &objects.members {
            Members::Keys(keys) if wants_tags => objects.tags.add(&seen, keys.len()),
            Members::Keys(_) => {}
            Members::Map(_) => objects.tags.give_up(),
        }
        self.places[at].objects = Some(objects);
    }

    /// The place for the value of a key, and the number of the key. Keys mostly come in the order of the last
    /// time: `next` is where to look first. `None` if there is no room.
    fn member(
        &mut self,
        at: PlaceId,
        objects: &mut Objects,
        key: &str,
        next: usize,
    ) -> Option<(PlaceId, usize)> {
        if let Members::Keys(keys) = &mut objects.members {
            let expected = keys.get_index(next).filter(|(known, _)| &***known == key);
            let number = match expected {
                Some(_) => Some(next),
                None => keys.get_index_of(key),
            };
            if let Some((number, (_, member))) =
                number.and_then(|number| Some((number, keys.get_index_mut(number)?)))
            {
                member.count += 1;
                return Some((member.place, number));
            }
            if keys.len() < self.keys {
                let place = self.new_place(at)?;
                keys.insert(key.into(), Member { place, count: 1 });
                return Some((place, keys.len() - 1));
            }
        }
        self.collapse(&mut objects.members);
        let Members::Map(values) = &mut objects.members else {
            return None;
        };
        *values = values.or_else(|| self.new_place(at));
        values.map(|values| (values, 0))
    }

    /// A new place below another; `None` if there is no room, which the other then says.
    fn new_place(&mut self, above: PlaceId) -> Option<PlaceId> {
        if let Some(id) = self.free.pop() {
            return Some(id);
        }
        if self.places.len() >= ROOM {
            self.places[above].unseen += 1;
            return None;
        }
        self.places.push(Place::default());
        Some(self.places.len() - 1)
    }

    /// Makes a map of objects: all their values are one place.
    pub(super) fn collapse(&mut self, members: &mut Members) {
        let Members::Keys(keys) = members else {
            return;
        };
        let mut places = keys.values().map(|member| member.place).collect::<Vec<_>>();
        let values = (!places.is_empty()).then(|| places.remove(0));
        if let Some(values) = values {
            for place in places {
                self.absorb(values, place);
            }
        }
        *members = Members::Map(values);
    }

    /// Adds what was seen at one place to another, and frees the first. Places are nested less than
    /// [`MOST_LEVELS`] deep.
    fn absorb(&mut self, into: PlaceId, from: PlaceId) {
        let other = std::mem::take(&mut self.places[from]);
        self.free.push(from);
        let place = &mut self.places[into];
        place.nulls += other.nulls;
        place.booleans += other.booleans;
        place.unseen += other.unseen;
        place.numbers.merge(other.numbers);
        match (&mut place.strings, other.strings) {
            (Some(ours), Some(theirs)) => ours.merge(*theirs),
            (ours, theirs) => *ours = ours.take().or(theirs),
        }
        let arrays = (place.arrays.take(), other.arrays);
        let objects = (place.objects.take(), other.objects);
        self.places[into].arrays = match arrays {
            (Some(mut ours), Some(theirs)) => {
                ours.count += theirs.count;
                ours.lengths.merge(theirs.lengths);
                match (ours.items, theirs.items) {
                    (Some(items), Some(more)) => self.absorb(items, more),
                    (items, more) => ours.items = items.or(more),
                }
                Some(ours)
            }
            (ours, theirs) => ours.or(theirs),
        };
        self.places[into].objects = match objects {
            (Some(ours), Some(theirs)) => Some(Box::new(self.joined(*ours, *theirs))),
            (ours, theirs) => ours.or(theirs),
        };
    }

    fn joined(&mut self, mut ours: Objects, mut theirs: Objects) -> Objects {
        ours.count += theirs.count;
        if matches!(theirs.members, Members::Map(_)) {
            self.collapse(&mut ours.members);
        }
        if matches!(ours.members, Members::Map(_)) {
            self.collapse(&mut theirs.members);
        }
        match (&mut ours.members, theirs.members) {
            (Members::Keys(keys), Members::Keys(more)) => {
                let mut numbers = Vec::with_capacity(more.len());
                for (key, member) in more {
                    match keys.get_full_mut(&key) {
                        Some((number, _, own)) => {
                            own.count += member.count;
                            numbers.push(number);
                            let place = own.place;
                            self.absorb(place, member.place);
                        }
                        None => {
                            numbers.push(keys.len());
                            keys.insert(key, member);
                        }
                    }
                }
                ours.tags.merge(theirs.tags, &numbers, keys.len());
                if keys.len() > self.keys {
                    self.collapse(&mut ours.members);
                    ours.tags.give_up();
                }
            }
            (Members::Map(values), Members::Map(more)) => {
                match (*values, more) {
                    (Some(values), Some(more)) => self.absorb(values, more),
                    (one, other) => *values = one.or(other),
                }
                ours.tags.give_up();
            }
            // Both were made maps.
            (Members::Keys(_), Members::Map(_)) | (Members::Map(_), Members::Keys(_)) => {}
        }
        ours
    }

    /// If there are too many places: takes objects with fewer keys for maps, and then looks less deep.
    fn tighten(&mut self) {
        while self.places.len() - self.free.len() > MOST_PLACES && self.levels > 1 {
            match self.keys {
                0 => self.levels /= 2,
                _ => self.keys /= 2,
            }
            self.tighten_below(ROOT, 0);
        }
    }

    fn tighten_below(&mut self, at: PlaceId, level: usize) {
        if level >= self.levels {
            let place = &mut self.places[at];
            let arrays = place.arrays.take();
            let objects = place.objects.take();
            place.unseen += arrays.as_ref().map_or(0, |arrays| arrays.count);
            place.unseen += objects.as_ref().map_or(0, |objects| objects.count);
            let items = arrays.into_iter().filter_map(|arrays| arrays.items);
            let values = objects
                .into_iter()
                .flat_map(|objects| objects.members.places());
            let below: Vec<PlaceId> = items.chain(values).collect();
            for place in below {
                self.release(place);
            }
            return;
        }
        if let Some(mut objects) = self.places[at].objects.take() {
            if matches!(&objects.members, Members::Keys(keys) if keys.len() > self.keys) {
                self.collapse(&mut objects.members);
                objects.tags.give_up();
            }
            self.places[at].objects = Some(objects);
        }
        for child in self.places[at].children() {
            self.tighten_below(child, level + 1);
        }
    }

    fn release(&mut self, at: PlaceId) {
        let place = std::mem::take(&mut self.places[at]);
        self.free.push(at);
        for child in place.children() {
            self.release(child);
        }
    }

    /// The types that the values at a place have.
    pub(super) fn kinds(&self, at: PlaceId) -> Kinds {
        self.places[at].kinds()
    }
}

/// A place of another list, whose places have greater numbers here.
fn moved(mut place: Place, offset: usize) -> Place {
    if let Some(items) = place
        .arrays
        .as_mut()
        .and_then(|arrays| arrays.items.as_mut())
    {
        *items += offset;
    }
    match place.objects.as_mut().map(|objects| &mut objects.members) {
        Some(Members::Keys(keys)) => {
            for member in keys.values_mut() {
                member.place += offset;
            }
        }
        Some(Members::Map(Some(values))) => *values += offset,
        Some(Members::Map(None)) | None => {}
    }
    place
}
