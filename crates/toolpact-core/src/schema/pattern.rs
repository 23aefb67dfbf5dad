//! Regular expressions that run in linear time, and estimates of their size.

use jsonschema_regex::{analyze_pattern, to_rust_regex};
use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Up to this size a pattern always compiles within the limits of `regex`.
const SURE: u64 = 2_000;

/// An upper estimate of the size of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    /// The compiled size: memory.
    pub(crate) compiled: u64,
    /// The number of states that can be active at once: time per character.
    pub(crate) states: u64,
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// One with look-around or back-references.
    Syntax,
    /// Not a regular expression.
    Malformed,
    /// The compiled pattern would be too large.
    Size,
}

/// The estimated size of a pattern.
pub(crate) fn size(pattern: &str) -> Result<Size, Unusable> {
    measure(pattern).map(|(size, _)| size)
}

/// The compiled size of a pattern, if it compiles and the size is at most `most`.
pub(super) fn compiled_size(pattern: &str, most: u64) -> Result<u64, Unusable> {
    let (size, translated) = measure(pattern)?;
    let fits = size.compiled <= most;
    let compiles = || size.compiled <= SURE || Regex::new(&translated).is_ok();
    (fits && compiles())
        .then_some(size.compiled)
        .ok_or(Unusable::Size)
}

/// Compiles a pattern that is known to compile.
pub(crate) fn compile(pattern: &str) -> Option<Regex> {
    Regex::new(&to_rust_regex(pattern).ok()?).ok()
}

/// The size of a pattern, and the pattern translated to the syntax of `regex`.
fn measure(pattern: &str) -> Result<(Size, String), Unusable> {
    // An anchored literal is compared as text, not compiled.
    if analyze_pattern(pattern).is_some() {
        let (compiled, states) = (1, 1);
        return Ok((Size { compiled, states }, String::new()));
    }
    let translated = to_rust_regex(pattern).map_err(|()| why_not(pattern))?;
    let translated = translated.into_owned();
    let parsed = regex_syntax::parse(&translated).map_err(|_| why_not(pattern))?;
    Ok((size_of(&parsed), translated))
}

/// Whether a pattern is none, or one that cannot run in linear time.
fn why_not(pattern: &str) -> Unusable {
    let looks = ["(?=", "(?!", "(?<=", "(?<!"];
    let refers = |(slash, next): (&u8, &u8)| *slash == b'\\' && matches!(next, b'1'..=b'9' | b'k');
    let bytes = pattern.as_bytes();
    let mut pairs = bytes.iter().zip(bytes.iter().skip(1));
    match looks.iter().any(|look| pattern.contains(look)) || pairs.any(refers) {
        true => Unusable::Syntax,
        false => Unusable::Malformed,
    }
}

/// Recurses; the parser bounds the nesting.
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

/// A range of characters beyond ASCII compiles to a few ranges of bytes.
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
