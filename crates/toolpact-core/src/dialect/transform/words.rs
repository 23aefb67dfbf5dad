//! Sentences for the model about rules that a dialect cannot express.

use crate::dialect::tree::{Map, Tree};
use crate::schema::Keyword;

/// Longest value that is written into a description.
const LONGEST: usize = 200;

/// Adds a sentence to the description of a schema.
pub(super) fn append(map: &mut Map, sentence: &str) {
    let description = match map.text("description") {
        Some(text) if !text.trim().is_empty() => format!("{}\n\n{sentence}", text.trim_end()),
        _ => sentence.to_owned(),
    };
    map.set("description", Tree::string(description));
}

/// Describes a rule in a sentence, if there is one for it that is not too long.
pub(super) fn rule(keyword: &str, value: &Tree) -> Option<String> {
    let text = value.to_text();
    if text.len() > LONGEST {
        return None;
    }
    let many = |word: &str| match text.as_str() {
        "1" => format!("1 {word}"),
        _ => format!("{text} {word}s"),
    };
    Some(match Keyword::named(keyword)? {
        Keyword::MinLength => format!("At least {}.", many("character")),
        Keyword::MaxLength => format!("At most {}.", many("character")),
        Keyword::Pattern => format!("Must match the regular expression {text}."),
        Keyword::Format => format!("Format: {}.", value.as_str()?),
        Keyword::Minimum => format!("At least {text}."),
        Keyword::Maximum => format!("At most {text}."),
        Keyword::ExclusiveMinimum => format!("More than {text}."),
        Keyword::ExclusiveMaximum => format!("Less than {text}."),
        Keyword::MultipleOf => format!("A multiple of {text}."),
        Keyword::MinItems => format!("At least {}.", many("element")),
        Keyword::MaxItems => format!("At most {}.", many("element")),
        Keyword::UniqueItems if text == "true" => "No element twice.".to_owned(),
        Keyword::MinProperties => format!("At least {}.", many("key")),
        Keyword::MaxProperties => format!("At most {}.", many("key")),
        Keyword::Enum if matches!(value.as_array(), Some([_])) => {
            rule("const", &value.as_array()?[0])?
        }
        Keyword::Enum => format!(
            "One of {}.",
            text.trim_start_matches('[').trim_end_matches(']')
        ),
        Keyword::Const => format!("Must be {text}."),
        Keyword::Default => format!("Default: {text}."),
        _ => return None,
    })
}
