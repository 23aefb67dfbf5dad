use std::sync::OnceLock;

use jsonschema::Validator;

use super::fast::Format;
use super::options::options;

/// A format that can be recognised in a text, with little doubt that it is meant. No word is mistaken for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextFormat {
    Fast(usize),
    Email,
    Uri,
}

impl TextFormat {
    /// Those of the fast path, by their places in its table, and the others.
    pub(crate) const ALL: [Self; Format::ALL.len() + 2] = [
        Self::Fast(0),
        Self::Fast(1),
        Self::Fast(2),
        Self::Fast(3),
        Self::Fast(4),
        Self::Fast(5),
        Self::Email,
        Self::Uri,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fast(place) => Format::ALL[place].0,
            Self::Email => "email",
            Self::Uri => "uri",
        }
    }

    /// Whether the checker would accept a text of this format, and the text looks like one.
    pub(crate) fn holds(self, text: &str) -> bool {
        static EMAIL: OnceLock<Option<Validator>> = OnceLock::new();
        static URI: OnceLock<Option<Validator>> = OnceLock::new();
        match self {
            Self::Fast(place) => Format::ALL[place].1.holds(text.as_bytes()),
            Self::Email => text.contains('@') && accepts(&EMAIL, self.name(), text),
            // `note:this` is a URI, too.
            Self::Uri => text.contains("://") && accepts(&URI, self.name(), text),
        }
    }
}

fn accepts(validator: &OnceLock<Option<Validator>>, format: &str, text: &str) -> bool {
    let build = || {
        options(true)
            .build(&serde_json::json!({ "format": format }))
            .ok()
    };
    let validator = validator.get_or_init(build).as_ref();
    validator.is_some_and(|validator| validator.is_valid(&text.into()))
}
