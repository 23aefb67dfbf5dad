use toolpact_core::json::{Kind, Node};

/// What kinds of value a schema allows, as far as `type`, `const` and `enum` say.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Kinds {
    pub(super) object: bool,
    pub(super) array: bool,
    /// In words; empty if all kinds are allowed.
    pub(super) words: Vec<String>,
}

/// An `enum` of more values is not looked at.
const MOST_VALUES: usize = 100;

impl Kinds {
    pub(super) fn of(schema: Node<'_>) -> Self {
        let words = by_type(schema).or_else(|| by_value(schema));
        let allows = |word: &str| words.as_ref().is_none_or(|w| w.iter().any(|w| w == word));
        Self {
            object: allows("an object"),
            array: allows("an array"),
            words: words.unwrap_or_default(),
        }
    }
}

fn by_type(schema: Node<'_>) -> Option<Vec<String>> {
    let types = schema.get("type")?;
    let types: Vec<Node<'_>> = match types.kind() {
        Kind::Array => types.items().collect(),
        _ => vec![types],
    };
    let word = |t: Node<'_>| Some(worded(&t.as_str()?)?.to_owned());
    types.into_iter().map(word).collect()
}

fn by_value(schema: Node<'_>) -> Option<Vec<String>> {
    let values: Vec<Node<'_>> = match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => vec![value],
        (None, values) => values?.items().take(MOST_VALUES + 1).collect(),
    };
    let mut words: Vec<String> = values.iter().map(|v| v.kind().to_string()).collect();
    words.sort_unstable();
    words.dedup();
    (1..=MOST_VALUES).contains(&values.len()).then_some(words)
}

/// A type with its article.
fn worded(name: &str) -> Option<&'static str> {
    Some(match name {
        "null" => "null",
        "boolean" => "a boolean",
        "number" => "a number",
        "integer" => "an integer",
        "string" => "a string",
        "array" => "an array",
        "object" => "an object",
        _ => return None,
    })
}
