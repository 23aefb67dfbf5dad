//! One tag of a template, as the lexer of minijinja sees it.

pub(super) struct Tag<'a> {
    /// Words, strings and signs.
    pub(super) tokens: usize,
    /// How many brackets are inside of each other.
    pub(super) brackets: usize,
    /// Whether there is a `=` outside of brackets.
    pub(super) assigns: bool,
    /// The first word.
    pub(super) word: &'a [u8],
    /// Where it ends; the end of the text if it never does.
    pub(super) end: usize,
}

impl<'a> Tag<'a> {
    /// Inside of brackets the end of a tag is no end, whichever brackets they are.
    pub(super) fn scan(bytes: &'a [u8], start: usize, end: [u8; 2]) -> Self {
        let mut tag = Tag {
            tokens: 0,
            brackets: 0,
            assigns: false,
            word: b"",
            end: start,
        };
        let mut open: isize = 0;
        while let Some(&byte) = bytes.get(tag.end) {
            let rest = &bytes[tag.end..];
            if open == 0 && rest.starts_with(&end) {
                tag.end += end.len();
                break;
            }
            let length = token_length(rest);
            if tag.word.is_empty() && is_word(byte) {
                tag.word = &rest[..length];
            }
            tag.tokens += usize::from(!byte.is_ascii_whitespace());
            tag.assigns |= byte == b'=' && open == 0;
            open += match byte {
                b'(' | b'[' | b'{' => 1,
                b')' | b']' | b'}' => -1,
                _ => 0,
            };
            tag.brackets = tag.brackets.max(open.unsigned_abs());
            tag.end += length;
        }
        tag
    }
}

fn token_length(rest: &[u8]) -> usize {
    match rest[0] {
        b'"' | b'\'' => string_length(rest),
        byte if is_word(byte) => rest.iter().take_while(|b| is_word(**b)).count(),
        _ => 1,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// With its quotes.
fn string_length(rest: &[u8]) -> usize {
    let mut escaped = false;
    let inner = rest[1..].iter().take_while(|&&byte| {
        let goes_on = escaped || byte != rest[0];
        escaped = !escaped && byte == b'\\';
        goes_on
    });
    inner.count() + 2
}
