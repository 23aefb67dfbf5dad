//! Small helpers for messages.

/// Longer things are shortened in messages: the place is shown anyway.
const LONGEST: usize = 60;

/// `text` on one line, at most about 60 characters of it.
pub(crate) fn shorten(text: &str) -> String {
    shorten_to(text, LONGEST)
}

/// `text` on one line, at most about so many characters of it.
pub(crate) fn shorten_to(text: &str, longest: usize) -> String {
    let mut out: String = text
        .chars()
        .take(longest)
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    if text.chars().nth(longest).is_some() {
        out.push('…');
    }
    out
}

/// Control characters, those that end a line or change the text direction in some editors, and those that show
/// nothing at all, of those that an escape of four digits can name.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
        )
}

/// "`a`, `b` and 3 more".
pub(crate) fn list<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 10;
    let more = names.len().saturating_sub(SHOWN);
    let shown: Vec<String> = names
        .take(SHOWN)
        .map(|name| format!("`{}`", shorten(name)))
        .collect();
    match (more, shown.split_last()) {
        (0, Some((last, rest))) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        (0, _) => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Implements `Display` by a method that returns the text.
macro_rules! display {
    ($($(#[$about:meta])* $type:ty: $method:ident),*) => {$(
        $(#[$about])*
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.$method())
            }
        }
    )*};
}
pub(crate) use display;

/// A list of words that takes no line for each: `words!("minimum maximum")`.
macro_rules! words {
    ($text:literal) => {
        const { &$crate::text::split::<{ $crate::text::count($text) }>($text) }
    };
}
pub(crate) use words;

/// How many words a text has, with one space between two of them.
pub(crate) const fn count(text: &str) -> usize {
    let (bytes, mut count, mut at) = (text.as_bytes(), 1, 0);
    while at < bytes.len() {
        count += (bytes[at] == b' ') as usize;
        at += 1;
    }
    count
}

/// The words of a text, with one space between two of them.
pub(crate) const fn split<const N: usize>(mut text: &'static str) -> [&'static str; N] {
    let (mut words, mut number, mut at) = ([""; N], 0, 0);
    while at < text.len() {
        if text.as_bytes()[at] == b' ' {
            (words[number], text) = (text.split_at(at).0, text.split_at(at + 1).1);
            (number, at) = (number + 1, 0);
        } else {
            at += 1;
        }
    }
    words[number] = text;
    words
}
