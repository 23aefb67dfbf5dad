//! Applies the fixes that violations suggest, for `check --fix` and for editors.
//!
//! ```
//! use toolpact_core::json::{Document, Limits};
//! use toolpact_core::model::Schema;
//! use toolpact_core::violation::fix::fix;
//!
//! let text = r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#;
//! let fixed = fix(text, |text| {
//!     Schema::check(&Document::json(text.as_bytes(), &Limits::default())).violations
//! });
//! assert_eq!(fixed.text, r#"{"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}"#);
//! assert_eq!(fixed.applied, 2);
//! assert!(fixed.is_done && fixed.violations.is_empty());
//! ```

use super::{Fix, Violations};

/// Rounds of fixes for one text. Three have been enough for everything seen so far; the cap is for
/// rules that undo each other's fixes.
pub const MAX_ROUNDS: usize = 100;

/// A text after its fixes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Fixed {
    /// The text; the one that was given, if there was nothing to fix.
    pub text: String,
    /// How many fixes were applied.
    pub applied: usize,
    /// What is wrong with the text as it is now.
    pub violations: Violations,
    /// Whether no fixes are left. If not, they were still changing the text after [`MAX_ROUNDS`]
    /// rounds, and it is best to keep the text as it was.
    pub is_done: bool,
}

/// Fixes a text round by round, because a fix may bring out another, until there is nothing left to
/// fix. `check` says what is wrong with a text.
pub fn fix(text: &str, mut check: impl FnMut(&str) -> Violations) -> Fixed {
    let mut fixed = Fixed {
        text: text.to_owned(),
        applied: 0,
        violations: check(text),
        is_done: false,
    };
    for _ in 0..MAX_ROUNDS {
        let (text, applied) = apply(&fixed.text, &fixed.violations);
        if applied == 0 || text == fixed.text {
            fixed.is_done = true;
            break;
        }
        fixed.violations = check(&text);
        fixed.text = text;
        fixed.applied += applied;
    }
    fixed
}

/// One round: the text with every fix applied, and how many there were. Where two overlap, the
/// later one is left for the next round.
#[must_use]
pub fn apply(text: &str, violations: &Violations) -> (String, usize) {
    let fixes = violations.iter();
    let mut fixes: Vec<&Fix> = fixes
        .filter_map(|violation| violation.suggestion()?.fix.as_ref())
        .collect();
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
    let (mut out, mut at, mut applied) = (String::with_capacity(text.len()), 0, 0);
    for fix in fixes {
        let Some(kept) = text.get(at..fix.span.start) else {
            continue;
        };
        out.push_str(kept);
        out.push_str(&fix.replacement);
        at = fix.span.end;
        applied += 1;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    (out, applied)
}

#[cfg(test)]
mod tests {
    use super::{MAX_ROUNDS, apply, fix};
    use crate::violation::rules::structure as rules;
    use crate::violation::{Fix, Pointer, Suggestion, Violation, Violations};

    fn suggest(fixes: &[(std::ops::Range<usize>, &str)]) -> Violations {
        let violation = |(span, replacement): &(std::ops::Range<usize>, &str)| Violation {
            rule: &rules::UNKNOWN_FIELD,
            message: String::new(),
            pointer: Pointer::root(),
            schema_pointer: None,
            location: None,
            suggestion: Some(Suggestion {
                text: String::new(),
                fix: Some(Fix {
                    span: span.clone(),
                    replacement: (*replacement).to_owned(),
                }),
            }),
        };
        Violations {
            list: fixes.iter().map(violation).collect(),
            ..Violations::default()
        }
    }

    #[test]
    fn overlapping_fixes_take_two_rounds() {
        let violations = suggest(&[(2..4, "X"), (3..5, "Y"), (0..1, "")]);
        assert_eq!(apply("abcdef", &violations), ("bXef".to_owned(), 2));
        let fixed = fix("aab", |text| match text.find('a') {
            Some(at) => suggest(&[(at..at + 1, "")]),
            None => Violations::default(),
        });
        assert_eq!((&*fixed.text, fixed.applied), ("b", 2));
        assert!(fixed.is_done && fixed.violations.is_empty());
    }

    #[test]
    fn a_fix_that_changes_nothing_is_the_end() {
        let fixed = fix("ab", |_| suggest(&[(0..1, "a")]));
        assert_eq!(
            (&*fixed.text, fixed.applied, fixed.is_done),
            ("ab", 0, true)
        );
    }

    #[test]
    fn fixes_that_undo_each_other_are_stopped() {
        let mut rounds = 0;
        let fixed = fix("a", |text| {
            rounds += 1;
            suggest(&[(0..1, if text == "a" { "b" } else { "a" })])
        });
        assert!(!fixed.is_done);
        assert_eq!((rounds, fixed.applied), (MAX_ROUNDS + 1, MAX_ROUNDS));
    }
}
