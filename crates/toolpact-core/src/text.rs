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
