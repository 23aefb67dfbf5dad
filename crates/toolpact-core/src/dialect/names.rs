//! Aliases for names that a dialect does not allow.

/// An alias of letters, digits and `_` for any text. It depends on the text alone, unless that
/// alias is `taken`, which takes a hash collision.
pub(super) fn alias(text: &str, longest: usize, taken: impl Fn(&str) -> bool) -> Box<str> {
    let hash = crate::model::Digest::of(text.as_bytes()).to_string();
    for digits in [6, 12, 24] {
        let suffix = &hash[..digits];
        let room = longest.saturating_sub(digits + 1);
        let name = format!("{}_{suffix}", readable(text, room));
        if !taken(&name) {
            return name.into();
        }
    }
    format!("x{}", &hash[..longest.min(63)]).into()
}

/// The valid characters of a text, starting with a letter or `_`.
fn readable(text: &str, longest: usize) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match c {
            '0'..='9' if name.is_empty() => name.extend(['_', c]),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => name.push(c),
            _ if name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    name.truncate(longest);
    let name = name.trim_end_matches('_');
    if name.is_empty() {
        "x".to_owned()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::alias;

    #[test]
    fn depends_on_the_text_alone() {
        let free = |_: &str| false;
        assert_eq!(&*alias("orders.list v2", 64, free), "orders_list_v2_abb96b");
        assert_eq!(alias("a.b", 64, free), alias("a.b", 64, free));
        assert_ne!(alias("a.b", 64, free), alias("a/b", 64, free));
        assert!(alias(&"é".repeat(500), 64, free).len() <= 64);
        assert!(alias(&"ab".repeat(500), 64, free).len() <= 64);
    }

    #[test]
    fn gives_way() {
        let first = alias("a.b", 64, |_| false);
        assert_ne!(alias("a.b", 64, |name| name == &*first), first);
    }
}
