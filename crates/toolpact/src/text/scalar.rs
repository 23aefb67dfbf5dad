//! Scalars and keys as words.
//!
//! A string stands as it is, unless it could be taken for something else or would break the line;
//! then it is in quotes, as JSON. So `5` is a number, `"5"` a string.

use std::borrow::Cow;

use toolpact_core::json::{Kind, Node};

use super::compact::one_line;

/// Of something else where there should be a scalar.
const ONE_LINE: usize = 200;

/// What should be a scalar, in a place that ends with the line.
pub(super) fn word(node: Node<'_>) -> Cow<'_, str> {
    match node.as_str() {
        Some(text) if is_plain(&text) => text,
        Some(text) => quoted(&text).into(),
        None if is_container(node) => one_line(node, ONE_LINE).text.into(),
        None => node.text().into(),
    }
}

/// A scalar in a list on one line.
pub(super) fn in_list(node: Node<'_>) -> Cow<'_, str> {
    match node.as_str() {
        Some(text) if is_plain(&text) && !text.contains([',', '[', ']', '"']) => text,
        Some(text) => quoted(&text).into(),
        None => node.text().into(),
    }
}

/// A key before its colon.
pub(super) fn key(key: &str) -> Cow<'_, str> {
    match is_plain(key) && !key.contains(':') {
        true => key.into(),
        false => quoted(key).into(),
    }
}

/// Text between the bars of a table.
pub(super) fn cell(text: &str) -> Cow<'_, str> {
    match text.contains('|') {
        true => text.replace('|', "\\|").into(),
        false => text.into(),
    }
}

/// A string as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Whether a string is best shown line by line.
pub(super) fn is_block(text: &str) -> bool {
    let shows = |c: char| !c.is_control() || matches!(c, '\n' | '\t' | '\r');
    text.contains('\n') && text.chars().all(shows)
}

/// Of a scalar that is not shown: "a string of 5000 characters".
pub(super) fn size(node: Node<'_>) -> String {
    let text = node.as_str().unwrap_or(node.text().into());
    format!("{} of {} characters", node.kind(), text.chars().count())
}

pub(super) fn is_container(node: Node<'_>) -> bool {
    matches!(node.kind(), Kind::Array | Kind::Object)
}

pub(super) fn is_empty(node: Node<'_>) -> bool {
    node.items().next().is_none() && node.members().next().is_none()
}

fn is_plain(text: &str) -> bool {
    is_word(text.as_bytes()) || is_plain_otherwise(text)
}

/// Most strings: printable ASCII that begins with a letter, and is no word of JSON.
fn is_word(text: &[u8]) -> bool {
    let is_usual = |byte: u8| matches!(byte, b' '..=b'[' | b']'..=b'~');
    matches!(text, [b'a'..=b'z' | b'A'..=b'Z', .., last] if *last != b' ')
        && !matches!(text, b"true" | b"false" | b"null")
        // To look at all of them takes fewer steps than to stop at the first that is not.
        && text.iter().fold(true, |so_far, byte| so_far & is_usual(*byte))
}

fn is_plain_otherwise(text: &str) -> bool {
    let outside = |c: char| c.is_whitespace() || matches!(c, '"' | '[' | '{' | '|' | '…');
    let reads_as_other = matches!(text, "" | "true" | "false" | "null" | "-")
        || (text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
            && text.parse::<f64>().is_ok());
    !reads_as_other
        && !text.starts_with(outside)
        && !text.ends_with(char::is_whitespace)
        && !text.starts_with("- ")
        && !has_control(text)
        // Before a bar, it would read as the escape of the bar.
        && !has_escaped_bar(text)
}

/// A search for two characters is made ready before it begins, which short texts are not worth.
fn has_escaped_bar(text: &str) -> bool {
    text.contains('\\') && text.contains("\\|")
}

fn has_control(text: &str) -> bool {
    match text.is_ascii() {
        true => text.bytes().any(|byte| byte.is_ascii_control()),
        false => text.contains(char::is_control),
    }
}
