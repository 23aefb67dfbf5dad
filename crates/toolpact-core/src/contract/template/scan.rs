//! Looks at a template before it is parsed.
//!
//! The parser and the compiler of minijinja recurse for every block, bracket, operator and `elif`,
//! and bound only some of that: a template of a few hundred bytes could overflow the stack. So the
//! tags are measured here, and their ends are found exactly as its lexer finds them. For that, a
//! `raw` block is refused: it is the one place where tags are not tags.

use super::tag::Tag;

/// Most words and signs between `{{` and `}}`, or `{%` and `%}`.
const TOKENS: usize = 100;
/// Most brackets inside of each other.
const BRACKETS: usize = 10;
/// Most blocks inside of each other.
const BLOCKS: usize = 20;
/// Most `elif` in a template.
const ELIFS: usize = 100;

/// The line of the first tag that must not reach the parser, and why.
pub(super) fn problem(text: &str) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    let mut blocks = Blocks::default();
    let mut at = 0;
    while let Some(open) = next_opening(bytes, at) {
        let inner = open + 2;
        let tag = match bytes[open + 1] {
            b'#' => {
                at = end_of_comment(bytes, inner)?;
                continue;
            }
            b'%' => Tag::scan(bytes, inner, *b"%}"),
            _ => Tag::scan(bytes, inner, *b"}}"),
        };
        let is_block = bytes[open + 1] == b'%';
        let wrong = too_much(&tag).or_else(|| is_block.then(|| blocks.add(&tag))?);
        if let Some(wrong) = wrong {
            let line = text[..open].matches('\n').count() + 1;
            return Some((line, wrong));
        }
        at = tag.end;
    }
    None
}

fn next_opening(bytes: &[u8], from: usize) -> Option<usize> {
    let is_opening = |pair: &[u8]| pair[0] == b'{' && matches!(pair[1], b'{' | b'%' | b'#');
    let at = bytes.get(from..)?.windows(2).position(is_opening)?;
    Some(from + at)
}

fn end_of_comment(bytes: &[u8], from: usize) -> Option<usize> {
    let at = bytes
        .get(from..)?
        .windows(2)
        .position(|pair| pair == b"#}")?;
    Some(from + at + 2)
}

fn too_much(tag: &Tag<'_>) -> Option<String> {
    if tag.tokens > TOKENS {
        return Some(format!("more than {TOKENS} words and signs in one tag"));
    }
    (tag.brackets > BRACKETS).then(|| format!("more than {BRACKETS} brackets inside of each other"))
}

/// The blocks that are open, and how often one goes on.
#[derive(Default)]
struct Blocks {
    open: usize,
    elifs: usize,
}

impl Blocks {
    fn add(&mut self, tag: &Tag<'_>) -> Option<String> {
        match tag.word {
            b"raw" => return Some("a `raw` block; write `{{ \"{{\" }}` for \"{{\"".to_owned()),
            b"elif" => self.elifs += 1,
            b"else" => {}
            // `{% set a = 1 %}` stands alone, `{% set a %}` has an end.
            b"set" if tag.assigns => {}
            word if word.starts_with(b"end") => self.open = self.open.saturating_sub(1),
            _ => self.open += 1,
        }
        if self.elifs > ELIFS {
            return Some(format!("more than {ELIFS} times `elif`"));
        }
        (self.open > BLOCKS).then(|| format!("more than {BLOCKS} blocks inside of each other"))
    }
}
