use std::fmt;

use serde::Serialize;

/// A statement of a schema, and how many examples it is from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Evidence {
    /// Where in the values: `/data/*/status`. A `*` is every item of an array, or every key of a map.
    pub place: String,
    /// What the schema says there.
    pub claim: Claim,
    /// From how many examples.
    pub examples: u64,
}

/// What a schema says about the values at a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Claim {
    /// Their types, in the words of JSON Schema.
    Types(Vec<&'static str>),
    /// That they are one of so many words.
    Enum(usize),
    /// That they have this format.
    Format(&'static str),
    /// That they have these keys at least.
    Required(Vec<String>),
    /// That they have no other keys than those that were seen.
    Closed,
    /// That they are maps: any keys, with values that are alike.
    Map,
    /// That the value of a key says which other keys there are.
    TaggedUnion(String),
}

impl Evidence {
    /// Whether more examples could well show that it does not hold: it is from fewer than ten, or, for an enum,
    /// than ten for each word.
    #[must_use]
    pub fn is_weak(&self) -> bool {
        const FEW: u64 = 10;
        let words = match &self.claim {
            Claim::Enum(words) => u64::try_from(*words).unwrap_or(u64::MAX),
            _ => 1,
        };
        self.examples < FEW.saturating_mul(words.max(1))
    }
}

/// `/data/*/status: one of 4 words, from 1000 examples`
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match &*self.place {
            "" => "the whole value",
            place => place,
        };
        let examples = if self.examples == 1 {
            "example"
        } else {
            "examples"
        };
        write!(
            f,
            "{place}: {}, from {} {examples}",
            self.claim, self.examples
        )
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Types(types) => f.write_str(&types.join(" or ")),
            Claim::Enum(1) => f.write_str("always the same word"),
            Claim::Enum(words) => write!(f, "one of {words} words"),
            Claim::Format(format) => write!(f, "the format {format}"),
            Claim::Required(keys) => match &keys[..] {
                [key] => write!(f, "always with the key `{key}`"),
                keys => write!(f, "always with {} keys", keys.len()),
            },
            Claim::Closed => f.write_str("no other keys than those seen"),
            Claim::Map => f.write_str("any keys, with values that are alike"),
            Claim::TaggedUnion(key) => write!(f, "`{key}` says which other keys there are"),
        }
    }
}
