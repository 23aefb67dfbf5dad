//! How tools fail: ADL's error structure and codes, ADM's error types, and the table that joins
//! them.

mod category;
mod kind;
mod read;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::Violations;
use crate::json::{Node, Value, Writer};
use crate::model::{ErrorObject, ErrorType};

use super::members::Members;

pub use category::ErrorCategory;
pub use kind::{ErrorKind, Retry};

/// An error as ADL 1.5 writes it: a code for programs, a message for people and models.
///
/// A stack trace can be kept with it for the logs. It is written only on explicit request, and
/// debugging output does not show it.
///
/// ```
/// use toolpact_core::model::ErrorObject;
/// use toolpact_core::returns::{ErrorKind, StandardError};
///
/// let error = StandardError::new(ErrorKind::NotFound, "There is no user `usr_123`")
///     .with_detail("resource_id", "usr_123")
///     .with_stack_trace("at users.rs:17");
/// assert_eq!(
///     error.to_json(),
///     r#"{"code":"NOT_FOUND_RESOURCE","message":"There is no user `usr_123`","details":{"resource_id":"usr_123"}}"#
/// );
///
/// let adm = ErrorObject::from(&error);
/// assert_eq!(adm.error_type().unwrap().as_str(), "RESOURCE_NOT_FOUND");
/// ```
#[derive(Clone)]
pub struct StandardError {
    code: Box<str>,
    /// Never blank.
    message: Box<str>,
    details: Option<Members>,
    stack_trace: Option<Box<str>>,
}

impl StandardError {
    /// An error of this kind. A blank message is replaced by the [text](ErrorKind::text) of the
    /// kind.
    #[must_use]
    pub fn new(kind: ErrorKind, message: &str) -> Self {
        Self::with_code(kind.code(), message)
    }

    /// An error with a custom code of the tool.
    #[must_use]
    pub fn with_code(code: &str, message: &str) -> Self {
        let message = match message.trim() {
            "" => ErrorKind::from_code(code).text(),
            _ => message,
        };
        Self {
            code: code.into(),
            message: message.into(),
            details: None,
            stack_trace: None,
        }
    }

    /// The error that a model gets instead of a result that violates the contract of its tool.
    /// `returned` describes the result, if there is more to say than that it is invalid.
    ///
    /// ```
    /// use toolpact_core::returns::{ErrorKind, StandardError};
    ///
    /// let error = StandardError::withheld("get_user", Some("a text"));
    /// assert_eq!(error.kind(), ErrorKind::ContractViolation);
    /// assert_eq!(error.message(), "`get_user` returned a text, so its result was withheld.");
    /// ```
    #[must_use]
    pub fn withheld(tool: &str, returned: Option<&str>) -> Self {
        Self::new(
            ErrorKind::ContractViolation,
            &kind::withheld(tool, returned),
        )
        .with_detail("tool", tool)
    }

    /// Reads it from a value. Unknown keys are ignored.
    pub fn from_value(value: &Value) -> Result<Self, Violations> {
        read::strict(value)
    }

    /// The error of a result of any type with `"success": false` and an `error` object, as far as
    /// it can be understood.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::returns::StandardError;
    ///
    /// let result = Value::from_json(r#"{"success": false, "error": {"message": "Gone"}}"#)?;
    /// let error = StandardError::of_failure(result.root()).unwrap();
    /// assert_eq!((error.code(), error.message()), ("INTERNAL_ERROR", "Gone"));
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn of_failure(result: Node<'_>) -> Option<Self> {
        read::failure(result)
    }

    /// The same error with one more detail.
    #[must_use]
    pub fn with_detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        let details = self.details.get_or_insert_default();
        details.insert(key, value.into());
        self
    }

    /// Takes a detail out, if it is there.
    pub fn take_detail(&mut self, key: &str) -> Option<Value> {
        let details = self.details.as_mut()?;
        let taken = details.remove(key);
        self.details = self.details.take().filter(|left| left.iter().len() > 0);
        taken
    }

    /// The same error with a stack trace, for the logs.
    #[must_use]
    pub fn with_stack_trace(self, stack_trace: impl Into<Box<str>>) -> Self {
        Self {
            stack_trace: Some(stack_trace.into()),
            ..self
        }
    }

    /// The error code, for programs.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The message, for people and models.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// One of the details.
    #[must_use]
    pub fn detail(&self, key: &str) -> Option<&Value> {
        self.details.as_ref()?.get(key)
    }

    /// The details, in the order they were given.
    pub fn details(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.details.iter().flat_map(Members::iter)
    }

    /// Where in the program it happened. For logs only.
    #[must_use]
    pub fn stack_trace(&self) -> Option<&str> {
        self.stack_trace.as_deref()
    }

    /// The kind of the code.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::from_code(&self.code)
    }

    /// Whether to try again: as the kind says, unless the detail `request_sent` says that no
    /// request was sent.
    ///
    /// ```
    /// use toolpact_core::returns::{ErrorKind, Retry, StandardError};
    ///
    /// let error = StandardError::new(ErrorKind::DependencyFailed, "It cannot be reached.");
    /// assert_eq!(error.retry(), Retry::IfIdempotent);
    /// assert_eq!(error.with_detail("request_sent", false).retry(), Retry::Yes);
    /// ```
    #[must_use]
    pub fn retry(&self) -> Retry {
        let sent = self.detail("request_sent").map(Value::text);
        match self.kind().retry() {
            Retry::IfIdempotent if sent == Some("false") => Retry::Yes,
            retry => retry,
        }
    }

    /// The ADM error type of the code. An unknown code is kept unchanged.
    #[must_use]
    pub fn error_type(&self) -> ErrorType {
        match ErrorKind::of_code(&self.code) {
            Some(kind) => kind.error_type(),
            None if self.code.is_empty() => ErrorKind::Internal.error_type(),
            None => ErrorType::from(&*self.code),
        }
    }

    /// Writes it as JSON, without the stack trace.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.written(None)
    }

    /// Writes it as JSON with the stack trace. Not for models or third parties.
    #[must_use]
    pub fn to_json_with_stack_trace(&self) -> String {
        self.written(self.stack_trace())
    }

    fn written(&self, stack_trace: Option<&str>) -> String {
        let mut writer = Writer::default();
        writer.begin_object().key("code").string(&self.code);
        writer.key("message").string(&self.message);
        if let Some(details) = &self.details {
            writer.key("details").begin_object();
            for (key, value) in details.iter() {
                writer.key(key).raw(value.text());
            }
            writer.end_object();
        }
        if let Some(stack_trace) = stack_trace {
            writer.key("stack_trace").string(stack_trace);
        }
        writer.end_object();
        writer.finish()
    }
}

/// The message and the type, which is all that ADM has.
impl From<&StandardError> for ErrorObject {
    fn from(error: &StandardError) -> Self {
        ErrorObject::trusted(&error.message, error.error_type())
    }
}

/// A type that is not in the table becomes the code unchanged.
impl From<&ErrorObject> for StandardError {
    fn from(error: &ErrorObject) -> Self {
        let code = match error.error_type() {
            None => ErrorKind::Internal.code(),
            Some(t) => ErrorKind::of_type(t.as_str()).map_or(t.as_str(), |kind| kind.code()),
        };
        Self::with_code(code, error.message())
    }
}

/// The stack trace is not compared.
impl PartialEq for StandardError {
    fn eq(&self, other: &Self) -> bool {
        (&self.code, &self.message, &self.details) == (&other.code, &other.message, &other.details)
    }
}

/// `NOT_FOUND_RESOURCE: There is no user …`
impl fmt::Display for StandardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for StandardError {}

/// Without the stack trace: debugging output ends up in places where it must not be.
impl fmt::Debug for StandardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StandardError({})", self.to_json())
    }
}
