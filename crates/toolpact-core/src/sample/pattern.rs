//! Texts that a pattern matches.

use jsonschema_regex::to_rust_regex;
use regex_syntax::hir::{Class, ClassUnicodeRange, Hir, HirKind, Repetition};

use super::Random;

/// The longest text that is generated, whatever a pattern repeats.
const MOST: usize = 500;
/// Readable characters, in order of preference.
const NICE: [std::ops::RangeInclusive<char>; 3] = ['A'..='Z', 'a'..='z', '1'..='9'];

/// The shortest matching text, different for each variant if possible.
pub(super) fn make(pattern: &str, variant: usize) -> Option<String> {
    with_extra(pattern, 0, variant)
}

/// A matching text in which every repetition occurs so many times more than it must.
pub(super) fn with_extra(pattern: &str, extra: usize, variant: usize) -> Option<String> {
    let translated = to_rust_regex(pattern).ok()?;
    let parsed = regex_syntax::parse(&translated).ok()?;
    let mut text = Text {
        out: String::new(),
        extra,
        next: variant,
        random: None,
    };
    text.add(&parsed)?;
    Some(text.out)
}

/// A random matching text, preferably of at least this length.
pub(super) fn random(pattern: &str, least: usize, random: &mut Random) -> Option<String> {
    let parsed = regex_syntax::parse(&to_rust_regex(pattern).ok()?).ok()?;
    let mut text = Text {
        out: String::new(),
        extra: [0, 1, 3, least][random.below(4)],
        next: 0,
        random: Some(random),
    };
    text.add(&parsed)?;
    Some(text.out)
}

struct Text<'r> {
    out: String,
    /// How often a repetition occurs beyond what it must; if it is random, at most.
    extra: usize,
    /// Which character of a class comes next, so that `[A-Z]{3}` becomes `ABC`.
    next: usize,
    random: Option<&'r mut Random>,
}

impl Text<'_> {
    /// The parser bounds the nesting. `None` if the text would be too long, or if nothing matches.
    fn add(&mut self, hir: &Hir) -> Option<()> {
        if self.out.len() > MOST {
            return None;
        }
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.out.push_str(std::str::from_utf8(&literal.0).ok()?),
            HirKind::Class(class) => {
                if let Some(random) = &mut self.random {
                    self.next = random.below(100);
                }
                let c = nth(class, self.next)?;
                self.next += 1;
                self.out.push(c);
            }
            HirKind::Capture(capture) => self.add(&capture.sub)?,
            HirKind::Concat(parts) => {
                for part in parts {
                    self.add(part)?;
                }
            }
            HirKind::Alternation(parts) => {
                let chosen = match &mut self.random {
                    Some(random) => random.pick(parts),
                    None => parts.first(),
                };
                self.add(chosen?)?;
            }
            HirKind::Repetition(repetition) => self.repeat(repetition)?,
        }
        Some(())
    }

    fn repeat(&mut self, repetition: &Repetition) -> Option<()> {
        let least = usize::try_from(repetition.min).ok()?;
        let most = repetition.max.map_or(usize::MAX, |max| max as usize);
        let extra = match &mut self.random {
            Some(random) => random.below(self.extra.saturating_add(1)),
            None => self.extra,
        };
        for _ in 0..least.saturating_add(extra).min(most) {
            self.add(&repetition.sub)?;
        }
        Some(())
    }
}

/// The n-th character of a class, cyclically: a readable one if there is any.
fn nth(class: &Class, n: usize) -> Option<char> {
    let contains = |c: char| match class {
        Class::Unicode(class) => class.iter().any(|r| (r.start()..=r.end()).contains(&c)),
        Class::Bytes(class) => class
            .iter()
            .any(|r| (r.start()..=r.end()).contains(&(c as u8))),
    };
    for nice in NICE {
        let nice: Vec<char> = nice.filter(|c| contains(*c)).collect();
        if !nice.is_empty() {
            return nice.get(n % nice.len()).copied();
        }
    }
    match class {
        Class::Unicode(class) => class
            .iter()
            .map(ClassUnicodeRange::end)
            .find(|c| !c.is_control()),
        Class::Bytes(class) => class.iter().map(|r| char::from(r.start())).next(),
    }
}
