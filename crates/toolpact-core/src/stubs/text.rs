//! Descriptions, prepared for source code.

use crate::text::is_hidden;

/// The trimmed lines of a text, none if it is blank, without characters that display as something
/// else.
pub(super) fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let shown = |c: char| if is_hidden(c) && c != '\n' { ' ' } else { c };
    let text: String = text.chars().map(shown).collect();
    let lines = text.trim().lines();
    lines.map(|line| line.trim_end().to_owned()).collect()
}
