//! The failure of a tool as the message of a Python exception.
//!
//! Exceptions have no fields of their own in the interpreter, so everything is in the message: the code
//! and the text, then the details if there are any, then whether to retry.
//!
//! ```text
//! NOT_FOUND_RESOURCE: There is no order B-1.
//! details: {"order":"B-1"}
//! retry: no
//! ```

use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::{Retry, StandardError};

/// Why a tool failed, as scripts see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolFailure {
    /// Its code: `NOT_FOUND_RESOURCE`.
    pub code: String,
    /// What went wrong, for the caller.
    pub message: String,
    /// More about it, as a JSON object.
    pub details: String,
    /// Whether a retry may help.
    pub retryable: bool,
}

const DETAILS: &str = "\ndetails: ";
const RETRY: &str = "\nretry: ";

impl ToolFailure {
    /// The failure for an error of a tool. Whether it can be retried depends on the tool, if it may have
    /// run.
    #[must_use]
    pub fn of(error: &StandardError, contract: &Contract) -> Self {
        let effects = contract.effects();
        let repeatable = effects.idempotent() == Some(true) || effects.read_only() == Some(true);
        Self {
            code: error.code().to_owned(),
            message: error.message().to_owned(),
            details: details_of(error),
            retryable: match error.retry() {
                Retry::Never => false,
                Retry::Yes => true,
                Retry::IfIdempotent => repeatable,
            },
        }
    }

    /// The message of the exception.
    ///
    /// ```
    /// use toolpact::code::ToolFailure;
    ///
    /// let failure = ToolFailure {
    ///     code: "RATE_LIMIT_EXCEEDED".to_owned(),
    ///     message: "Too many calls.".to_owned(),
    ///     details: r#"{"retry_after_ms":500}"#.to_owned(),
    ///     retryable: true,
    /// };
    /// let text = "RATE_LIMIT_EXCEEDED: Too many calls.\ndetails: {\"retry_after_ms\":500}\nretry: yes";
    /// assert_eq!(failure.to_message(), text);
    /// assert_eq!(ToolFailure::from_message(text), Some(failure));
    /// ```
    #[must_use]
    pub fn to_message(&self) -> String {
        let Self {
            code,
            message,
            details,
            retryable,
        } = self;
        let mut out = format!("{code}: {message}");
        // A text that ends in such a line would be taken for details.
        if details != "{}" || message.contains(DETAILS) {
            out.push_str(DETAILS);
            out.push_str(details);
        }
        out.push_str(RETRY);
        out.push_str(if *retryable { "yes" } else { "no" });
        out
    }

    /// Parses a message, if it is of this form.
    #[must_use]
    pub fn from_message(text: &str) -> Option<Self> {
        let (text, retry) = text.rsplit_once(RETRY)?;
        let retryable = match retry {
            "yes" => true,
            "no" => false,
            _ => return None,
        };
        let (text, details) = text.rsplit_once(DETAILS).unwrap_or((text, "{}"));
        let (code, message) = text.split_once(": ")?;
        let is_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        (!code.is_empty() && code.chars().all(is_code)).then(|| Self {
            code: code.to_owned(),
            message: message.to_owned(),
            details: details.to_owned(),
            retryable,
        })
    }
}

fn details_of(error: &StandardError) -> String {
    let members = error.details().map(|(key, value)| {
        let key = Value::from(key);
        // On one line, however the tool wrote it.
        format!("{}:{}", key.text(), value.to_canonical())
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}
