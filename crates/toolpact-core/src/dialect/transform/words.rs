//! What cannot be said to a machine, said to the model.

use crate::dialect::tree::{Map, Tree};

/// Longest value that is told in a description.
const LONGEST: usize = 200;

/// Adds a sentence to the description of a schema.
pub(super) fn append(map: &mut Map, sentence: &str) {
    let description = match map.text("description") {
        Some(text) if !text.trim().is_empty() => format!("{}\n\n{sentence}", text.trim_end()),
        _ => sentence.to_owned(),
    };
    map.set("description", Tree::string(description));
}

/// A rule in words, if there are any for it and they are not too long.
pub(super) fn rule(keyword: &str, value: &Tree) -> Option<String> {
    let text = value.to_text();
    if text.len() > LONGEST {
        return None;
    }
    let many = |word: &str| match text.as_str() {
        "1" => format!("1 {word}"),
        _ => format!("{text} {word}s"),
    };
    Some(match keyword {
        "minLength" => format!("At least {}.", many("character")),
        "maxLength" => format!("At most {}.", many("character")),
        "pattern" => format!("Must match the regular expression {text}."),
        "format" => format!("Format: {}.", value.as_str()?),
        "minimum" => format!("At least {text}."),
        "maximum" => format!("At most {text}."),
        "exclusiveMinimum" => format!("More than {text}."),
        "exclusiveMaximum" => format!("Less than {text}."),
        "multipleOf" => format!("A multiple of {text}."),
        "minItems" => format!("At least {}.", many("element")),
        "maxItems" => format!("At most {}.", many("element")),
        "uniqueItems" if text == "true" => "No element twice.".to_owned(),
        "minProperties" => format!("At least {}.", many("key")),
        "maxProperties" => format!("At most {}.", many("key")),
        "enum" if matches!(value.as_array(), Some([_])) => rule("const", &value.as_array()?[0])?,
        "enum" => format!(
            "One of {}.",
            text.trim_start_matches('[').trim_end_matches(']')
        ),
        "const" => format!("Must be {text}."),
        "default" => format!("Default: {text}."),
        "additionalProperties" if text == "false" => "No other keys.".to_owned(),
        _ => return None,
    })
}
