use std::fmt;

use super::{Category, StandardType};

/// The possible values of `type` in a return type object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeWord {
    /// The canonical spelling.
    Standard(StandardType),
    /// A custom schema.
    Custom,
    /// A category of section 3, in any case.
    Category(Category),
    /// A JSON type, as in ADL 1.0 and in section 2.1.
    Json(&'static str),
}

const JSON_TYPES: [&str; 7] = [
    "object", "array", "string", "number", "integer", "boolean", "null",
];

impl TypeWord {
    /// A JSON type takes precedence over a category: `array` is the type, `Array` too.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        if word == "Custom" {
            return Some(TypeWord::Custom);
        }
        let json = || {
            JSON_TYPES
                .into_iter()
                .find(|name| *name == word)
                .map(TypeWord::Json)
        };
        let category = || {
            let mut all = Category::ALL.into_iter();
            all.find(|category| category.name().eq_ignore_ascii_case(word))
                .map(TypeWord::Category)
        };
        StandardType::from_name(word)
            .map(TypeWord::Standard)
            .or_else(json)
            .or_else(category)
    }

    /// All canonical spellings.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        StandardType::all()
            .map(StandardType::name)
            .chain(["Custom"])
    }

    /// "the category `Array`"
    pub(crate) fn describe(self) -> String {
        match self {
            TypeWord::Standard(_) | TypeWord::Custom => format!("`{self}`"),
            TypeWord::Category(_) => format!("the category `{self}`"),
            TypeWord::Json(_) => format!("the JSON type `{self}`"),
        }
    }
}

impl StandardType {
    /// The JSON types that a value of this type may have.
    pub(crate) fn json_types(self) -> &'static [&'static str] {
        match self {
            StandardType::StringValue => &["string", "object"],
            StandardType::NumberValue => &["number", "integer", "object"],
            StandardType::BooleanValue => &["boolean", "object"],
            _ => &["object"],
        }
    }
}

impl fmt::Display for TypeWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeWord::Standard(standard) => standard.fmt(f),
            TypeWord::Custom => f.write_str("Custom"),
            TypeWord::Category(category) => category.fmt(f),
            TypeWord::Json(name) => f.write_str(name),
        }
    }
}
