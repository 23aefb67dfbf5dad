//! Applies the edits that are certain.

use toolpact_core::Violations;
use toolpact_core::violation::Fix;

/// The text with every fix applied, and how many there were. Where two overlap, the later one is
/// left for the next round.
pub(crate) fn apply(text: &str, violations: &Violations) -> (String, usize) {
    let mut fixes: Vec<&Fix> = violations
        .iter()
        .filter_map(|v| v.suggestion()?.fix.as_ref())
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
