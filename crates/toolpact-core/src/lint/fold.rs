//! Text as a model reads it: without what is invisible, and with all look-alikes as one letter.

use super::look_alikes::plain;

/// One character after another of a text as it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Folded {
    /// In lower case.
    pub(super) c: char,
    pub(super) is_upper: bool,
}

/// The characters of a text as they read. Entities of HTML are the characters that they stand for.
pub(super) fn fold(text: &str) -> impl Iterator<Item = Folded> + '_ {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let c = rest.chars().next()?;
            let (c, length) = match c {
                '&' => entity(rest).unwrap_or(('&', 1)),
                _ => (c, c.len_utf8()),
            };
            rest = rest.get(length..).unwrap_or_default();
            if let Some(folded) = fold_char(c) {
                return Some(folded);
            }
        }
    })
}

fn fold_char(c: char) -> Option<Folded> {
    let is_upper = c.is_uppercase();
    if let Some(c) = plain(c) {
        return Some(Folded { c, is_upper });
    }
    if is_unseen(c) || is_mark(c) {
        return None;
    }
    let c = match c {
        '\u{2028}' | '\u{2029}' | '\u{85}' => '\n',
        c if c.is_whitespace() => ' ',
        c => c.to_lowercase().next().unwrap_or(c),
    };
    Some(Folded { c, is_upper })
}

/// Whether a character takes no place on a screen.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(u32::from(c),
        0x00..=0x08 | 0x0E..=0x1F | 0x7F..=0x84 | 0x86..=0x9F
        | 0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F
        | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164
        | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF9..=0xFFFB
        | 0xE0000..=0xE001F | 0xE007F..=0xE0FFF)
}

/// Marks that are drawn over the letter before them.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c),
        0x300..=0x36F | 0x483..=0x489 | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F)
}

/// The character of an entity at the beginning of a text, and the length of the entity.
fn entity(text: &str) -> Option<(char, usize)> {
    /// `&#x10FFFF;`
    const LONGEST: usize = 10;
    let end = text.bytes().take(LONGEST).position(|b| b == b';')?;
    let name = text.get(1..end)?;
    let c = match name {
        "lt" | "LT" => '<',
        "gt" | "GT" => '>',
        "amp" => '&',
        "quot" => '"',
        "nbsp" => ' ',
        "shy" => '\u{ad}',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    };
    Some((c, end + 1))
}

#[cfg(test)]
mod tests {
    use super::fold;

    fn folded(text: &str) -> String {
        fold(text).map(|folded| folded.c).collect()
    }

    #[test]
    fn reads_disguises() {
        for (text, reads) in [
            ("Ignore", "ignore"),
            ("Іgnоrе", "ignore"),
            ("ｉｇｎｏｒｅ", "ignore"),
            ("𝗶𝗴𝗻𝗼𝗿𝗲 𝓲𝓰𝓷𝓸𝓻𝓮", "ignore ignore"),
            ("i\u{200b}g\u{ad}n\u{2060}ore", "ignore"),
            ("ígnõrē", "ignore"),
            ("i\u{301}gnore", "ignore"),
            ("&lt;IMPORTANT&#62;", "<important>"),
            ("\u{e0052}\u{e0065}ad", "read"),
            ("ⓘⓖⓝⓞⓡⓔ", "ignore"),
            ("a & b &nosuch;", "a & b &nosuch;"),
            ("日本 Straße", "日本 straße"),
        ] {
            assert_eq!(folded(text), reads);
        }
    }
}
