//! The types of the `type` keyword.

use crate::json::{Kind, Node, Number, Whole};

/// A type of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonType {
    /// A string.
    String,
    /// Any number.
    Number,
    /// A number without a fraction: `1.0` is one.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// Keys and values.
    Object,
    /// A list of values.
    Array,
    /// `null`.
    Null,
}

impl JsonType {
    /// Every type.
    pub const ALL: [Self; 7] = [
        Self::String,
        Self::Number,
        Self::Integer,
        Self::Boolean,
        Self::Object,
        Self::Array,
        Self::Null,
    ];

    /// The name in a schema.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Object => "object",
            Self::Array => "array",
            Self::Null => "null",
        }
    }

    /// The type of this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The types in the value of a `type`: one name, or a list of names.
    pub fn listed(value: Node<'_>) -> impl Iterator<Item = Self> {
        let names = value.items().map(Node::as_str).chain([value.as_str()]);
        names.filter_map(|name| Self::named(&name?))
    }

    /// Whether a value is of this type.
    #[must_use]
    pub fn accepts(self, value: Node<'_>) -> bool {
        match self {
            Self::Integer => {
                let whole = value.as_number().map(Number::whole);
                whole.is_some_and(|whole| whole != Whole::Fraction)
            }
            other => other.kind() == value.kind(),
        }
    }

    /// The kind of values of this type.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::String => Kind::String,
            Self::Number | Self::Integer => Kind::Number,
            Self::Boolean => Kind::Bool,
            Self::Object => Kind::Object,
            Self::Array => Kind::Array,
            Self::Null => Kind::Null,
        }
    }
}
