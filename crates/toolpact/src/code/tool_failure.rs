//! The one form in which a script sees that a tool failed.
//!
//! Exceptions have no fields of their own in the interpreter, so all there is to know is in the
//! message: the code and the text, then the details if there are any, then whether to try again.
//!
//! ```text
//! NOT_FOUND_RESOURCE: There is no order B-1.
//! details: {"order":"B-1"}
//! retry: no
//! ```

use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::{Retry, StandardError};

/// What a tool that failed has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolFailure {
    /// What went wrong, as a word: `NOT_FOUND_RESOURCE`.
    pub code: String,
    /// What went wrong, for the one who called.
    pub message: String,
    /// More about it, as a JSON object.
    pub details: String,
    /// Whether it may help to call again.
    pub retryable: bool,
}

const DETAILS: &str = "\ndetails: ";
const RETRY: &str = "\nretry: ";

impl ToolFailure {
    /// What an error of a tool comes to. Whether to try again depends on the tool, where it may
    /// have run.
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

    /// What a message says, if it is of this form.
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
