//! Regular expressions that run in linear time, and how large they are.

use jsonschema_regex::{analyze_pattern, to_rust_regex};
use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Up to this size a pattern is known to compile.
const SURE: u64 = 2_000;

/// How large a pattern is, roughly and rather more than less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    /// What it compiles to: memory.
    pub(crate) compiled: u64,
    /// In how many states it can be at once: time for each character.
    pub(crate) states: u64,
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// It is none, or one with look-around or back-references.
    Syntax,
    /// It compiles to too much.
    Size,
}

/// How large a pattern is.
pub(crate) fn size(pattern: &str) -> Result<Size, Unusable> {
    measure(pattern).map(|(size, _)| size)
}

/// What a pattern compiles to, if that is at most `most` and can be done.
pub(super) fn compiled_size(pattern: &str, most: u64) -> Result<u64, Unusable> {
    let (size, translated) = measure(pattern)?;
    let fits = size.compiled <= most;
    let compiles = || size.compiled <= SURE || Regex::new(&translated).is_ok();
    (fits && compiles())
        .then_some(size.compiled)
        .ok_or(Unusable::Size)
}

/// The matcher of a pattern that is known to compile.
pub(crate) fn compile(pattern: &str) -> Option<Regex> {
    Regex::new(&to_rust_regex(pattern).ok()?).ok()
}

/// The size of a pattern, and the pattern as `regex` writes it.
fn measure(pattern: &str) -> Result<(Size, String), Unusable> {
    // What is plain text under anchors is compared, not compiled.
    if analyze_pattern(pattern).is_some() {
        let (compiled, states) = (1, 1);
        return Ok((Size { compiled, states }, String::new()));
    }
    let translated = to_rust_regex(pattern).map_err(|()| Unusable::Syntax)?;
    let translated = translated.into_owned();
    let parsed = regex_syntax::parse(&translated).map_err(|_| Unusable::Syntax)?;
    Ok((size_of(&parsed), translated))
}

/// The parser bounds the nesting.
fn size_of(hir: &Hir) -> Size {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Size::ONE,
        HirKind::Literal(literal) => Size::ONE.times(literal.0.len() as u64),
        HirKind::Class(class) => Size {
            compiled: class_size(class),
            states: 1,
        },
        HirKind::Capture(capture) => size_of(&capture.sub).plus(Size::ONE),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(size_of).fold(Size::ONE, Size::plus)
        }
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1));
            let one = size_of(&repetition.sub).plus(Size::ONE);
            one.times(u64::from(times)).plus(Size::ONE)
        }
    }
}

/// A range of characters beyond ASCII is a few ranges of bytes.
fn class_size(class: &Class) -> u64 {
    match class {
        Class::Bytes(_) => 1,
        Class::Unicode(class) => {
            let ranges = class.ranges().iter();
            let beyond = ranges.filter(|range| !range.end().is_ascii());
            1 + 4 * beyond.count() as u64
        }
    }
}

impl Size {
    const ONE: Self = Self {
        compiled: 1,
        states: 1,
    };

    fn plus(self, other: Self) -> Self {
        Self {
            compiled: self.compiled.saturating_add(other.compiled),
            states: self.states.saturating_add(other.states),
        }
    }

    fn times(self, times: u64) -> Self {
        Self {
            compiled: self.compiled.saturating_mul(times),
            states: self.states.saturating_mul(times),
        }
    }
}
