//! What to do after each kind of failure.

use toolpact_core::json::{Kind, Value};
use toolpact_core::returns::{ErrorKind, Retry, StandardError};

pub(super) fn after(error: &StandardError) -> String {
    if error.code() == crate::elicitation::WRONG_ANSWER {
        return "call again if it is to be asked again.".to_owned();
    }
    let kind = error.kind();
    let text = match kind {
        ErrorKind::RateLimited | ErrorKind::TooManyAtOnce => return wait(error),
        ErrorKind::MissingArgument => "add the missing argument and call again.",
        ErrorKind::WrongArgument => "correct the argument and call again.",
        ErrorKind::BusinessRule => {
            "the same call will fail again. Ask for something that the rule allows, or tell the \
             user."
        }
        ErrorKind::UnknownTool => "call one of the tools that exist, by its exact name.",
        ErrorKind::NotFound => {
            "the same call will fail again. Check the name or identifier, or look it up first."
        }
        ErrorKind::NotAuthenticated | ErrorKind::Expired => {
            "calling again does not help until the user has signed in. Tell the user."
        }
        ErrorKind::NotAllowed | ErrorKind::Scope => {
            "do not call again; the permission is missing. Tell the user."
        }
        ErrorKind::Duplicate => "do not create it again. Use the one that exists, or another name.",
        ErrorKind::WrongState => {
            "the same call will fail again as things are. Look at the present state first."
        }
        ErrorKind::Cancelled => {
            "it may have been done in part. Call again only if it is still wanted."
        }
        ErrorKind::ContractViolation => {
            "the fault is the tool's and not the call's, and it may have done its work all the \
             same. Do not repeat the call; tell the user."
        }
        ErrorKind::Configuration => {
            "calling again does not help until the tool has been set up. Tell the user."
        }
        _ => by_retry(error.retry()),
    };
    text.to_owned()
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

fn by_retry(retry: Retry) -> &'static str {
    match retry {
        Retry::Yes => "wait a little, then make the same call again.",
        Retry::IfIdempotent => {
            "it may have taken effect. Make the same call again only if doing it twice does no \
             harm; otherwise check first whether it was done."
        }
        Retry::Never => {
            "the same call will probably fail again. Try another way, or tell the user."
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
    let wait = told.into_iter().find_map(detail);
    let wait = wait.unwrap_or_else(|| match error.kind() {
        ErrorKind::TooManyAtOnce => "wait until other calls have ended".to_owned(),
        _ => "wait a little".to_owned(),
    });
    format!("{wait}, then make the same call again.")
}
