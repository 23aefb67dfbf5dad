//! Small helpers for messages.

use toolpact_core::violation::nearest;

/// Longer things are shortened: a message is one line.
const LONGEST: usize = 60;

/// `text` on one line, at most about 60 characters of it.
pub(super) fn shorten(text: &str) -> String {
    shorten_to(text, LONGEST)
}

/// `text` on one line, at most about so many characters of it.
pub(super) fn shorten_to(text: &str, longest: usize) -> String {
    let printable = |c: char| match c {
        _ if c.is_whitespace() => ' ',
        _ if c.is_control() => '\u{fffd}',
        _ => c,
    };
    let mut out: String = text.chars().take(longest).map(printable).collect();
    if text.chars().nth(longest).is_some() {
        out.push('…');
    }
    out
}

/// "`a`, `b` and 3 more".
pub(super) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 10;
    let mut names = names.into_iter();
    let quoted = |name: &str| format!("`{}`", shorten(name));
    let mut shown: Vec<String> = names.by_ref().take(SHOWN).map(quoted).collect();
    let more = names.count();
    if more > 0 {
        return format!("{} and {more} more", shown.join(", "));
    }
    match (shown.pop(), shown.is_empty()) {
        (None, _) => "none".to_owned(),
        (Some(last), true) => last,
        (Some(last), false) => format!("{} and {last}", shown.join(", ")),
    }
}

/// "1 step", "2 steps".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{number} {noun}")
}

/// The candidate that `name` is most likely a slip for, as a question.
pub(super) fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(name, candidates).map(|near| format!("did you mean `{}`?", shorten(near)))
}

#[cfg(test)]
mod tests {
    use toolpact_core::violation::nearest;

    use super::{list, shorten};

    #[test]
    fn lists_names() {
        assert_eq!(list([]), "none");
        assert_eq!(list(["a"]), "`a`");
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` and `c`");
        let many: Vec<String> = (0..12).map(|i| i.to_string()).collect();
        let many = list(many.iter().map(String::as_str));
        assert!(many.ends_with("`9` and 2 more"), "{many}");
    }

    #[test]
    fn shortens_to_one_line() {
        assert_eq!(shorten("a\nb\u{1b}"), "a b\u{fffd}");
        assert_eq!(shorten(&"é".repeat(100)).chars().count(), 61);
    }

    #[test]
    fn finds_slips() {
        assert_eq!(nearest("dta", ["success", "data"]), Some("data"));
        assert_eq!(nearest("Step-1", ["step1", "step2"]), Some("step1"));
        assert_eq!(nearest("weather", ["success", "data"]), None);
    }
}
