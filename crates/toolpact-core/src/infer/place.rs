//! What was seen at one place of many values.

use indexmap::IndexMap;

use super::numbers::Numbers;
use super::strings::Strings;
use super::tags::Tags;
use crate::json::{Kind, Node};

/// The position of a place in the list of all places.
pub(super) type PlaceId = usize;

/// The values at one place, by their types.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    pub(super) nulls: u64,
    pub(super) booleans: u64,
    pub(super) numbers: Numbers,
    pub(super) strings: Option<Box<Strings>>,
    pub(super) arrays: Option<Arrays>,
    pub(super) objects: Option<Box<Objects>>,
    /// Arrays and objects that were not looked into, because there is no room for what is in them.
    pub(super) unseen: u64,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Arrays {
    pub(super) count: u64,
    /// All items together.
    pub(super) items: Option<PlaceId>,
    pub(super) lengths: Lengths,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Objects {
    pub(super) count: u64,
    pub(super) members: Members,
    /// Keys whose value may say which other keys there are.
    pub(super) tags: Tags,
}

/// The members of objects.
#[derive(Debug, Clone)]
pub(super) enum Members {
    /// Each key with its own values.
    Keys(IndexMap<Box<str>, Member>),
    /// Any keys, and the values of all of them together; `None` if there were no members.
    Map(Option<PlaceId>),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub(super) place: PlaceId,
    /// How many objects have it.
    pub(super) count: u64,
}

/// The least and the most of something that is counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lengths(Option<(usize, usize)>);

impl Lengths {
    pub(super) fn add(&mut self, length: usize) {
        self.merge(Self(Some((length, length))));
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.0 = match (self.0, other.0) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
    }

    pub(super) fn get(self) -> Option<(usize, usize)> {
        self.0
    }
}

impl Default for Members {
    fn default() -> Self {
        Members::Keys(IndexMap::new())
    }
}

impl Members {
    /// The places of the values.
    pub(super) fn places(&self) -> Vec<PlaceId> {
        match self {
            Members::Keys(keys) => keys.values().map(|member| member.place).collect(),
            Members::Map(values) => values.iter().copied().collect(),
        }
    }
}

impl Place {
    pub(super) fn count(&self) -> u64 {
        let strings = self.strings.as_ref().map_or(0, |strings| strings.count);
        let arrays = self.arrays.as_ref().map_or(0, |arrays| arrays.count);
        let objects = self.objects.as_ref().map_or(0, |objects| objects.count);
        let scalars = self.nulls + self.booleans + self.numbers.count();
        scalars + strings + arrays + objects + self.unseen
    }

    pub(super) fn kinds(&self) -> Kinds {
        let has = |n: u64, kinds: Kinds| if n > 0 { kinds.0 } else { 0 };
        let numbers = self.numbers.kinds();
        Kinds(
            has(self.nulls, Kinds::NULL)
                | has(self.booleans, Kinds::BOOLEAN)
                | numbers.0
                | has(u64::from(self.strings.is_some()), Kinds::STRING)
                | has(u64::from(self.arrays.is_some()), Kinds::ARRAY)
                | has(u64::from(self.objects.is_some()), Kinds::OBJECT),
        )
    }

    /// The places of what is inside of the arrays and objects.
    pub(super) fn children(&self) -> Vec<PlaceId> {
        let items = self.arrays.iter().filter_map(|arrays| arrays.items);
        let members = self
            .objects
            .iter()
            .flat_map(|objects| objects.members.places());
        items.chain(members).collect()
    }
}

/// A set of types of values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    /// Numbers, not all of which are integers.
    pub(super) const NUMBER: Self = Self(8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const ALL: Self = Self(127);

    /// In the order in which a schema lists them.
    pub(super) const WORDS: [(Self, &'static str); 7] = [
        (Self::OBJECT, "object"),
        (Self::ARRAY, "array"),
        (Self::STRING, "string"),
        (Self::NUMBER, "number"),
        (Self::INTEGER, "integer"),
        (Self::BOOLEAN, "boolean"),
        (Self::NULL, "null"),
    ];

    /// The type of one value. All numbers are alike here.
    pub(super) fn of(node: Node<'_>) -> Self {
        match node.kind() {
            Kind::Null => Self::NULL,
            Kind::Bool => Self::BOOLEAN,
            Kind::Number => Self(Self::INTEGER.0 | Self::NUMBER.0),
            Kind::String => Self::STRING,
            Kind::Array => Self::ARRAY,
            Kind::Object => Self::OBJECT,
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The same, with integers and other numbers as one.
    pub(super) fn broad(self) -> Self {
        match self.has(Self::INTEGER) {
            true => self.without(Self::INTEGER).and(Self::NUMBER),
            false => self,
        }
    }

    /// How many types it is, null and the difference of numbers aside.
    pub(super) fn count(self) -> u32 {
        self.without(Self::NULL).broad().0.count_ones()
    }

    /// Whether it is one type, null and the difference of numbers aside.
    pub(super) fn is_one(self) -> bool {
        self.count() == 1
    }
}
