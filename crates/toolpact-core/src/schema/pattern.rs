//! Regular expressions that run in linear time, and how large they are.

use jsonschema_regex::{analyze_pattern, to_rust_regex};
use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Up to this many steps a pattern is known to compile.
const SURE: u64 = 2_000;

/// Why a pattern cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unusable {
    /// It is none, or one with look-around or back-references.
    Syntax,
    /// It matches in too many steps.
    Size,
}

/// How many steps one character of a text may take under a pattern, if that is at most `most`.
pub(super) fn size(pattern: &str, most: u64) -> Result<u64, Unusable> {
    // What is plain text under anchors is compared, not compiled.
    if analyze_pattern(pattern).is_some() {
        return Ok(1);
    }
    let translated = to_rust_regex(pattern).map_err(|()| Unusable::Syntax)?;
    let parsed = regex_syntax::parse(&translated).map_err(|_| Unusable::Syntax)?;
    let size = hir_size(&parsed);
    if size > most {
        return Err(Unusable::Size);
    }
    if size > SURE && Regex::new(&translated).is_err() {
        return Err(Unusable::Size);
    }
    Ok(size)
}

/// The matcher of a pattern whose size was found to be small enough.
pub(super) fn compile(pattern: &str) -> Option<Regex> {
    Regex::new(&to_rust_regex(pattern).ok()?).ok()
}

/// What it compiles to, roughly and rather more than less. The parser bounds the nesting.
fn hir_size(hir: &Hir) -> u64 {
    let sum = |parts: &[Hir]| {
        let sizes = parts.iter().map(hir_size);
        sizes.fold(1, u64::saturating_add)
    };
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(class) => class_size(class),
        HirKind::Capture(capture) => hir_size(&capture.sub).saturating_add(2),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => sum(parts),
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1));
            let one = hir_size(&repetition.sub).saturating_add(1);
            one.saturating_mul(u64::from(times)).saturating_add(1)
        }
    }
}

/// A range of characters beyond ASCII is a few ranges of bytes.
fn class_size(class: &Class) -> u64 {
    match class {
        Class::Bytes(_) => 1,
        Class::Unicode(class) => {
            let beyond = class
                .ranges()
                .iter()
                .filter(|range| !range.end().is_ascii());
            1 + 4 * beyond.count() as u64
        }
    }
}
