//! Descriptions, prepared for source code.

/// The trimmed lines of a text, none if it is blank, without characters that display as something
/// else.
pub(super) fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let shown = |c: char| if is_hidden(c) && c != '\n' { ' ' } else { c };
    let text: String = text.chars().map(shown).collect();
    let lines = text.trim().lines();
    lines.map(|line| line.trim_end().to_owned()).collect()
}

/// Control characters, and those that end a line or change the text direction in some editors.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
        )
}
