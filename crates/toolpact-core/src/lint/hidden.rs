//! Characters and texts that a model reads and people do not see.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::Selection;
use super::fold::is_unseen;
use super::look_alikes::{is_foreign_twin, is_styled_letter, is_tag, styled};
use super::texts::{Role, Text};
use crate::json::report::Report;
use crate::text::shorten;
use crate::violation::rules::lint as rules;

/// Looks at the characters of one text.
pub(super) fn check(text: &Text<'_>, selection: &Selection, report: &mut Report) {
    if selection.has(&rules::HIDDEN_CHARACTERS) {
        characters(text, report);
    }
    if selection.has(&rules::CONFUSABLE_TEXT) {
        look_alikes(text, report);
    }
    if selection.has(&rules::HIDDEN_TEXT)
        && let Some(what) = hidden_text(text)
    {
        report.add(&rules::HIDDEN_TEXT, text.place(), |finding| {
            finding.say(format!("{} {what}", text.describe()));
        });
    }
}

fn characters(text: &Text<'_>, report: &mut Report) {
    let mut kinds = BTreeSet::new();
    let mut message = String::new();
    let mut count = 0_usize;
    let mut near = Near::default();
    for c in text.value.chars() {
        if let Some(kind) = near.kind_of(c) {
            count += 1;
            kinds.insert(kind);
            if message.len() < LONGEST {
                message.extend(hidden_letter(c));
            }
        }
        near.pass(c);
    }
    if count == 0 {
        return;
    }
    report.add(&rules::HIDDEN_CHARACTERS, text.place(), |finding| {
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let mut says = format!(
            "{} has {count} hidden characters: {}",
            text.describe(),
            kinds.join(", ")
        );
        if count == 1 {
            says = format!(
                "{} has a hidden character: {}",
                text.describe(),
                kinds.join(", ")
            );
        }
        if message.chars().filter(char::is_ascii_graphic).count() > 2 {
            says.push_str(&format!("; they say “{}”", shorten(&message)));
        }
        finding.say(says);
    });
}

/// Bytes of a hidden message that are decoded.
const LONGEST: usize = 200;

/// The letter that a tag or a variation selector stands for when it is used to hide one.
fn hidden_letter(c: char) -> Option<char> {
    let code = u32::from(c);
    let byte = match code {
        0xE0020..=0xE007E => return styled(c),
        0xFE00..=0xFE0F => code - 0xFE00,
        0xE0100..=0xE01EF => code - 0xE0100 + 16,
        _ => return None,
    };
    char::from_u32(byte).filter(|c| c.is_ascii_graphic() || *c == ' ')
}

/// What is before a character, which says whether it is right there.
#[derive(Default)]
struct Near {
    before: Option<char>,
    /// Within a flag that is made of tags.
    in_flag: usize,
}

impl Near {
    fn kind_of(&self, c: char) -> Option<&'static str> {
        let after_other = self.before.is_some_and(|c| !c.is_ascii() && !is_unseen(c));
        Some(match u32::from(c) {
            0x1B => "a terminal's escape code",
            0x00..=0x08 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F..=0x84 | 0x86..=0x9F => {
                "a control character"
            }
            // A flag has few, and a black flag before them.
            0xE0000..=0xE007F if (1..8).contains(&self.in_flag) => return None,
            0xE0000..=0xE007F => "a tag",
            0x202A..=0x202E | 0x2066..=0x2069 => "a change of direction",
            // Emoji and many scripts join letters.
            0x200C | 0x200D if after_other || self.before == Some('\u{fe0f}') => return None,
            // Text from right to left needs the first three, and scripts choose forms of their letters by the others.
            0x061C | 0x200E | 0x200F | 0x180B..=0x180F | 0xFE00..=0xFE0F | 0xE0100..=0xE01EF
                if after_other =>
            {
                return None;
            }
            // The keys of a telephone.
            0xFE0F if self.before.is_some_and(|c| "#*0123456789".contains(c)) => return None,
            0xFE00..=0xFE0F | 0xE0100..=0xE01EF => "a variation selector",
            0xE000..=0xF8FF | 0xF0000..=0x10_FFFF => "a character for private use",
            _ if is_unseen(c) => "an invisible character",
            _ => return None,
        })
    }

    fn pass(&mut self, c: char) {
        self.in_flag = match c {
            '\u{1F3F4}' => 1,
            c if is_tag(c) && self.in_flag > 0 => self.in_flag + 1,
            _ => 0,
        };
        self.before = Some(c);
    }
}

fn look_alikes(text: &Text<'_>, report: &mut Report) {
    if text.value.is_ascii() {
        return;
    }
    let words = text
        .value
        .split(|c: char| !c.is_alphanumeric() && !is_styled_letter(c));
    let mut found = words.filter(|word| is_mixed(word));
    let Some(first) = found.next() else { return };
    report.add(&rules::CONFUSABLE_TEXT, text.place(), |finding| {
        let reads: String = super::fold::fold(first).map(|folded| folded.c).collect();
        finding.say(format!(
            "{} has letters that look like others: `{}` is not `{}`",
            text.describe(),
            shorten(first),
            shorten(&reads)
        ));
    });
}

/// Whether a word has letters of this script beside letters of another that look the same, or is written in
/// another style.
fn is_mixed(word: &str) -> bool {
    let ascii = word.chars().filter(char::is_ascii_alphabetic).count();
    let twins = word.chars().filter(|c| is_foreign_twin(*c)).count();
    let styled = word.chars().filter(|c| is_styled_letter(*c)).count();
    let others = word
        .chars()
        .filter(|c| !c.is_ascii() && c.is_alphabetic())
        .count();
    // A unit is short: `kΩ`.
    ascii > 0 && twins > 0 && ascii + twins > 3 && twins == others || styled > 3
}

/// How many spaces in a row push what follows off a screen.
const SPACES: usize = 100;
/// How many line breaks.
const LINES: usize = 12;

/// How a text hides a part of itself, if it does.
fn hidden_text(text: &Text<'_>) -> Option<String> {
    if text.role == Role::Example {
        return None;
    }
    let value = &text.value;
    if let Some(after) = after_padding(value) {
        return Some(format!(
            "goes on after much empty space: “{}”",
            shorten(after)
        ));
    }
    if let Some(comment) = comment(value) {
        return Some(format!(
            "has a comment that is not shown: “{}”",
            shorten(comment)
        ));
    }
    let plain = encoded(value)?;
    Some(format!(
        "has encoded text, which says “{}”",
        shorten(&plain)
    ))
}

fn after_padding(text: &str) -> Option<&str> {
    let (mut spaces, mut lines) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '\n' => lines += 1,
            '\r' => {}
            c if c.is_whitespace() => spaces += 1,
            _ if spaces >= SPACES || lines >= LINES => return text.get(at..),
            _ => (spaces, lines) = (0, 0),
        }
    }
    None
}

fn comment(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("<!--")?;
    let inside = rest
        .split_once("-->")
        .map_or(rest, |(inside, _)| inside)
        .trim();
    // Markers for programs are one word.
    let words = inside.split(|c: char| c.is_whitespace() || c == '_');
    (words.filter(|word| !word.is_empty()).nth(2).is_some()).then_some(inside)
}

/// Fewer characters are a word or a name.
const ENCODED: usize = 24;
/// More are not decoded: what an order says is at its beginning.
const DECODED: usize = 4096;

/// What the first part of a text says that is encoded, if that is text.
fn encoded(text: &str) -> Option<String> {
    let is_code = |c: char| c.is_ascii_alphanumeric() || "+/-_".contains(c);
    let mut runs = text
        .split(|c: char| !is_code(c))
        .filter(|run| run.len() >= ENCODED);
    runs.find_map(|run| {
        let run = run.get(..run.len().min(DECODED))?;
        let base64 = run.get(..run.len() - usize::from(run.len() % 4 == 1))?;
        let bytes = STANDARD_NO_PAD.decode(base64).ok();
        let bytes = bytes.or_else(|| URL_SAFE_NO_PAD.decode(base64).ok());
        bytes
            .and_then(words_of)
            .or_else(|| hex(run).and_then(words_of))
    })
}

fn hex(run: &str) -> Option<Vec<u8>> {
    let pairs = run.as_bytes().chunks_exact(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    pairs.map(byte).collect()
}

/// Bytes that are words, as text.
fn words_of(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let is_text = text
        .chars()
        .all(|c| c.is_ascii_graphic() || c.is_ascii_whitespace());
    let letters = text
        .chars()
        .filter(|c| c.is_ascii_lowercase() || *c == ' ')
        .count();
    let has_words = text.split_whitespace().nth(1).is_some();
    (is_text && has_words && letters * 4 > text.len() * 3).then_some(text)
}
