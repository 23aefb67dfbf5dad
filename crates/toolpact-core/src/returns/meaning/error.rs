//! The codes of errors.

use crate::json::Node;
use crate::json::report::{Place, Report};
use crate::returns::ErrorCategory;
use crate::text::{list, shorten};
use crate::violation::rules::meaning as rules;

/// Warns about a code that belongs to no category.
pub(super) fn check(error: Option<Node<'_>>, report: &mut Report) {
    let Some(node) = error.and_then(|error| error.get("code")) else {
        return;
    };
    let Some(code) = node.as_str() else {
        return;
    };
    if ErrorCategory::all().any(|category| code.starts_with(category.prefix())) {
        return;
    }
    report.add(&rules::ERROR_CODE, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected a code that begins with one of {}, found `{}`",
            list(ErrorCategory::all().map(ErrorCategory::prefix)),
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
    let like =
        |category: &ErrorCategory| upper.starts_with(category.prefix().trim_end_matches('_'));
    ErrorCategory::all()
        .find(like)
        .map(|category| category.general_kind().code())
}
