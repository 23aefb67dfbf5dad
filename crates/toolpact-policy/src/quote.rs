//! Texts in Cedar.

/// A string of Cedar, in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            letter if letter.is_control() => {
                quoted.push_str(&format!("\\u{{{:x}}}", u32::from(letter)));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// An entity, such as `Group::"support"`.
pub(crate) fn entity(kind: &str, id: &str) -> String {
    format!("{kind}::{}", quoted(id))
}
