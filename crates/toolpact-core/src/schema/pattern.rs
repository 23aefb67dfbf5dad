//! Regular expressions that run in linear time, and estimates of their size.

use jsonschema_regex::{analyze_pattern, to_rust_regex};
use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Up to this size a pattern always compiles within the limits of `regex`.
const SURE: u64 = 2_000;

/// How look-around begins.
const LOOKS: [&str; 4] = ["(?=", "(?!", "(?<=", "(?<!"];

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
    /// Not a regular expression of ECMA-262.
    Syntax,
    /// Look-around or back-references, which no engine matches in linear time.
    Backtracking,
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

/// Why a pattern cannot be used here and may be elsewhere, in words; `None` if it can, or nowhere.
pub(crate) fn unusable(pattern: &str) -> Option<&'static str> {
    match compiled_size(pattern, super::bounds::PATTERNS).err()? {
        Unusable::Syntax if is_broken(pattern) => None,
        Unusable::Syntax => Some("a pattern that is no regular expression of ECMA-262"),
        Unusable::Backtracking if LOOKS.iter().any(|look| pattern.contains(look)) => {
            Some("a pattern with look-around, which may take for ever")
        }
        Unusable::Backtracking => Some("a pattern with back-references, which may take for ever"),
        Unusable::Size => Some("a pattern that repeats too much to be compiled"),
    }
}

/// Whether no engine would take it: something is not closed, or is repeated that is not there.
fn is_broken(pattern: &str) -> bool {
    use regex_syntax::ast::ErrorKind as E;
    let parsed = regex_syntax::ast::parse::Parser::new().parse(pattern);
    parsed.is_err_and(|error| {
        matches!(
            error.kind(),
            E::GroupUnclosed
                | E::GroupUnopened
                | E::ClassUnclosed
                | E::RepetitionMissing
                | E::EscapeUnexpectedEof
        )
    })
}

/// What was expected in place of a pattern that does not compile.
pub(crate) fn expected(pattern: &str) -> &'static str {
    match backtracks(pattern) {
        true => {
            "a regular expression that runs in linear time, without look-around and back-references"
        }
        false => "a regular expression of ECMA-262 (with the flag `u`)",
    }
}

/// Whether a pattern has look-around or back-references.
fn backtracks(pattern: &str) -> bool {
    let refers = |pair: &[u8]| pair[0] == b'\\' && matches!(pair[1], b'1'..=b'9');
    let escapes = pattern.replace("\\\\", "");
    LOOKS.iter().any(|look| escapes.contains(look))
        || escapes.contains("\\k<")
        || escapes.as_bytes().windows(2).any(refers)
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
    let refused = || match backtracks(pattern) {
        true => Unusable::Backtracking,
        false => Unusable::Syntax,
    };
    let translated = to_rust_regex(pattern).map_err(|()| refused())?;
    let translated = translated.into_owned();
    let parsed = regex_syntax::parse(&translated).map_err(|_| refused())?;
    Ok((size_of(&parsed), translated))
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
