//! What all targets check.

use toolpact_core::Violations;
use toolpact_core::json::{Document, Limits};
use toolpact_core::violation::Fix;

/// One input in eight is read without a limit of depth, so that both sides of it are explored.
/// By the length, so that the same input always takes the same way.
pub fn limits(data: &[u8]) -> Limits {
    match data.len() % 8 {
        0 => Limits::default().depth(1_000_000),
        _ => Limits::default(),
    }
}

/// Every place is in the text and between characters, and every violation can be printed.
pub fn check_places(document: &Document, violations: &Violations) {
    let text = document.text();
    let mut last = 0;
    for violation in violations {
        let location = violation.location().expect("read from a text");
        let span = location.span.clone();
        assert!(text.get(span.clone()).is_some(), "{span:?} of {text:?}");
        assert!(span.start >= last, "not in document order");
        last = span.start;
        assert!(location.line >= 1 && location.column >= 1);
        let shown = violation.to_string();
        assert!(!shown.contains('\n'), "more than one line: {shown:?}");
    }
}

/// The text with all fixes applied. What overlaps one before it is left for the next time.
pub fn apply_fixes(document: &Document, violations: &Violations) -> String {
    let mut fixes: Vec<&Fix> = violations
        .iter()
        .filter_map(|violation| violation.suggestion()?.fix.as_ref())
        .collect();
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
    let text = document.text();
    let (mut fixed, mut at) = (String::new(), 0);
    for fix in fixes {
        let before = text.get(at..fix.span.start);
        if fix.span.start < at {
            continue;
        }
        fixed.push_str(before.expect("between characters"));
        fixed.push_str(&fix.replacement);
        at = fix.span.end;
    }
    fixed.push_str(text.get(at..).expect("between characters"));
    fixed
}
