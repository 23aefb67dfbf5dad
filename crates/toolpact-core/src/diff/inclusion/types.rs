//! Sets of types, with whole numbers and fractions apart.

use crate::json::{Kind, Node};
use crate::schema::view::View;
use crate::schema::{JsonType, Keyword};

/// A set of the seven disjoint types that values have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::diff) struct Types(u8);

impl Types {
    pub(in crate::diff) const NULL: Self = Self(1);
    pub(in crate::diff) const BOOLEAN: Self = Self(2);
    pub(in crate::diff) const WHOLE: Self = Self(4);
    pub(in crate::diff) const FRACTION: Self = Self(8);
    pub(in crate::diff) const STRING: Self = Self(16);
    pub(in crate::diff) const ARRAY: Self = Self(32);
    pub(in crate::diff) const OBJECT: Self = Self(64);
    const NONE: Self = Self(0);
    const ALL: Self = Self(127);

    /// The types that `type`, `const` and `enum` leave.
    pub(in crate::diff) fn of(view: &View<'_>) -> Self {
        if view.is_impossible() {
            return Self::NONE;
        }
        let mut types = Self::ALL;
        for part in view.all(Keyword::Type) {
            types = types.and(Self::listed(part.node));
        }
        for part in view.all(Keyword::Const) {
            types = types.and(Self::of_value(part.node));
        }
        for part in view.all(Keyword::Enum) {
            let values = part.node.items().map(Self::of_value);
            types = types.and(values.fold(Self::NONE, Self::or));
        }
        types
    }

    /// Those in the value of a `type`.
    pub(in crate::diff) fn listed(value: Node<'_>) -> Self {
        let types = JsonType::listed(value).map(Self::named);
        types.fold(Self::NONE, Self::or)
    }

    /// Those that a keyword is about.
    pub(super) fn about(keyword: Keyword) -> Self {
        match keyword.about().types() {
            None => Self::ALL,
            Some(types) => types
                .iter()
                .map(|one| Self::named(*one))
                .fold(Self::NONE, Self::or),
        }
    }

    pub(super) fn of_value(value: Node<'_>) -> Self {
        match value.kind() {
            Kind::Null => Self::NULL,
            Kind::Bool => Self::BOOLEAN,
            Kind::Number if JsonType::Integer.accepts(value) => Self::WHOLE,
            Kind::Number => Self::FRACTION,
            Kind::String => Self::STRING,
            Kind::Array => Self::ARRAY,
            Kind::Object => Self::OBJECT,
        }
    }

    fn named(one: JsonType) -> Self {
        match one {
            JsonType::String => Self::STRING,
            JsonType::Number => Self::WHOLE.or(Self::FRACTION),
            JsonType::Integer => Self::WHOLE,
            JsonType::Boolean => Self::BOOLEAN,
            JsonType::Object => Self::OBJECT,
            JsonType::Array => Self::ARRAY,
            JsonType::Null => Self::NULL,
        }
    }

    pub(in crate::diff) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn is_in(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Each of them alone.
    pub(super) fn each(self) -> impl Iterator<Item = Self> {
        let all = (0..7).map(|bit| Self(1 << bit));
        all.filter(move |one| one.is_in(self))
    }
}
