//! What to do after a failure: the advice of its kind, and what its details add to that.

use toolpact_core::json::{Kind, Value};
use toolpact_core::returns::{ErrorKind, Retry, StandardError};

pub(super) fn after(error: &StandardError) -> String {
    if error.code() == crate::elicitation::WRONG_ANSWER {
        return "call again if it is to be asked again.".to_owned();
    }
    let kind = error.kind();
    match (kind.retry(), error.retry()) {
        (Retry::Yes, _) => wait(error),
        // The service was not reached: as after a rate limit.
        (_, Retry::Yes) => ErrorKind::RateLimited.advice().to_owned(),
        _ => kind.advice().to_owned(),
    }
}

/// After an operation that failed: it is not the present call that went wrong.
pub(super) fn after_operation(error: &StandardError) -> &'static str {
    match error.retry() {
        Retry::Yes => "the operation has ended. Wait a little, then start it again.",
        Retry::IfIdempotent => {
            "the operation has ended, and may have taken effect. Start it again only if doing it \
             twice does no harm; otherwise check first whether it was done."
        }
        Retry::Never => {
            "the operation has ended. Started again as it was, it would fail again: deal with the \
             error first, or tell the user."
        }
    }
}

/// As long as the tool says, if it does.
fn wait(error: &StandardError) -> String {
    let detail = |(key, unit): (&str, &str)| {
        let value: &Value = error.detail(key)?;
        let is_number = value.kind() == Kind::Number && value.text().len() < 20;
        is_number.then(|| format!("wait {} {unit}", value.text()))
    };
    let told = [
        ("retry_after", "seconds"),
        ("retry_after_seconds", "seconds"),
        ("retry_after_ms", "milliseconds"),
    ];
    match told.into_iter().find_map(detail) {
        Some(wait) => format!("{wait}, then make the same call again."),
        None => error.kind().advice().to_owned(),
    }
}
