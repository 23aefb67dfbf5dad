//! The codes of errors.

use crate::json::Node;
use crate::text::{list, shorten};
use crate::violation::report::{Place, Report};
use crate::violation::rules::meaning as rules;

/// The prefixes of the eight categories (ADL 5.2), each with a code of it.
const CATEGORIES: [(&str, &str); 8] = [
    ("VALIDATION_", "VALIDATION_FORMAT"),
    ("AUTH_", "AUTH_UNAUTHORIZED"),
    ("FORBIDDEN_", "FORBIDDEN_ACCESS"),
    ("NOT_FOUND_", "NOT_FOUND_RESOURCE"),
    ("CONFLICT_", "CONFLICT_STATE"),
    ("RATE_LIMIT_", "RATE_LIMIT_EXCEEDED"),
    ("INTERNAL_", "INTERNAL_ERROR"),
    ("EXTERNAL_", "EXTERNAL_API_ERROR"),
];

/// Warns about a code of no category.
pub(super) fn check(error: Option<Node<'_>>, report: &mut Report) {
    let Some(node) = error.and_then(|error| error.get("code")) else {
        return;
    };
    let Some(code) = node.as_str() else {
        return;
    };
    if CATEGORIES
        .iter()
        .any(|(prefix, _)| code.starts_with(prefix))
    {
        return;
    }
    report.add(&rules::ERROR_CODE, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected a code that begins with one of {}, found `{}`",
            list(CATEGORIES.iter().map(|(prefix, _)| *prefix)),
            shorten(&code)
        ));
        if let Some(example) = example_like(&code) {
            finding.advise(format!("for example `{example}`"));
        }
    });
}

/// For `not-found` and `NOT_FOUND`: `NOT_FOUND_RESOURCE`.
fn example_like(code: &str) -> Option<&'static str> {
    let upper = code.to_ascii_uppercase().replace(['-', ' ', '.'], "_");
    CATEGORIES
        .iter()
        .find(|(prefix, _)| upper.starts_with(prefix.trim_end_matches('_')))
        .map(|(_, example)| *example)
}
