use std::error::Error;
use std::fmt;

use toolpact_core::Violations;
use toolpact_core::json::{Kind, Value};
use toolpact_core::returns::{ErrorKind, StandardError};

/// Why a tool failed: what the caller and the model read, and what only the logs have.
///
/// Any error becomes one with `?`. Since its text may say more than a model should read, it goes to
/// the logs, and the model is told that the tool failed. What the model should know is said with
/// one of the constructors.
///
/// ```
/// use toolpact::ToolError;
///
/// fn quantity(text: &str) -> Result<u32, ToolError> {
///     if text.is_empty() {
///         return Err(ToolError::invalid("Give a quantity."));
///     }
///     Ok(text.parse()?)
/// }
///
/// assert_eq!(quantity("").unwrap_err().to_string(), "VALIDATION_FORMAT: Give a quantity.");
/// let error = quantity("many").unwrap_err();
/// assert_eq!(error.to_string(), "INTERNAL_ERROR: The tool failed.");
/// assert_eq!(error.source().unwrap().to_string(), "invalid digit found in string");
/// ```
pub struct ToolError {
    told: Box<StandardError>,
    /// The result that reported the failure.
    result: Option<Box<Value>>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// An error of this kind, with a message that a model may read.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl AsRef<str>) -> Self {
        StandardError::new(kind, message.as_ref()).into()
    }

    /// An error with a code of the tool's own. A code with a prefix of the specification, such as
    /// `CONFLICT_`, means what the prefix means.
    #[must_use]
    pub fn with_code(code: &str, message: impl AsRef<str>) -> Self {
        StandardError::with_code(code, message.as_ref()).into()
    }

    /// An argument is not what the tool needs.
    #[must_use]
    pub fn invalid(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::WrongArgument, message)
    }

    /// What was asked for does not exist.
    #[must_use]
    pub fn not_found(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::NotFound, message)
    }

    /// The caller may not do this.
    #[must_use]
    pub fn not_allowed(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::NotAllowed, message)
    }

    /// A rule of the business forbids it.
    #[must_use]
    pub fn business_rule(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::BusinessRule, message)
    }

    /// The thing is in a state that does not allow it.
    #[must_use]
    pub fn conflict(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::WrongState, message)
    }

    /// Something the tool depends on failed.
    #[must_use]
    pub fn unavailable(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::DependencyFailed, message)
    }

    /// What the tool was answered has no place: other answers take all the memory that is set aside for them.
    #[must_use]
    pub fn no_memory() -> Self {
        let message = "What other tools are answered takes all the memory that is set aside for it. Wait and try again.";
        Self::new(ErrorKind::TooManyAtOnce, message)
    }

    /// The tool failed; why is for the logs.
    #[must_use]
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(ErrorKind::Internal, "").with_source(source)
    }

    /// For the code that `#[tool]` generates: any error that a function may return.
    #[doc(hidden)]
    #[must_use]
    pub fn __of(error: impl IntoToolError) -> Self {
        error.into_tool_error()
    }

    /// The same error with one more detail, which callers can read.
    #[must_use]
    pub fn with_detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.told = Box::new(self.told.with_detail(key, value));
        self
    }

    /// The same error with its cause, for the logs.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The same error with the result that reported it, in the envelope of its type.
    #[must_use]
    pub fn with_result(mut self, result: Value) -> Self {
        self.result = Some(Box::new(result));
        self
    }

    /// What kind of error it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.told.kind()
    }

    /// Its code, for programs.
    #[must_use]
    pub fn code(&self) -> &str {
        self.told.code()
    }

    /// What went wrong, in words a model may read.
    #[must_use]
    pub fn message(&self) -> &str {
        self.told.message()
    }

    /// The error that callers read.
    #[must_use]
    pub fn as_standard(&self) -> &StandardError {
        &self.told
    }

    /// The result that reported the failure: `success: false`, the error, and whatever else its type
    /// allows, such as `metadata`.
    #[must_use]
    pub fn result(&self) -> Option<&Value> {
        self.result.as_deref()
    }

    /// The error that callers read.
    #[must_use]
    pub fn into_standard(self) -> StandardError {
        *self.told
    }

    /// The error with the rest of its [result](Self::result) as the detail `result`, for callers who
    /// are told no more than the error.
    #[must_use]
    pub fn to_standard(&self) -> StandardError {
        let told = (*self.told).clone();
        match self.rest() {
            Some(rest) if told.detail(RESULT).is_none() => told.with_detail(RESULT, rest),
            _ => told,
        }
    }

    /// Reads what [`to_standard`](Self::to_standard) wrote: the detail `result` is part of the result
    /// again.
    #[must_use]
    pub fn of_standard(mut error: StandardError) -> Self {
        let is_object = |rest: &Value| rest.kind() == Kind::Object;
        if !error.detail(RESULT).is_some_and(is_object) {
            return error.into();
        }
        let rest = error.take_detail(RESULT);
        let mut members = rest.as_ref().map(others).unwrap_or_default();
        members.push(format!(r#""error":{}"#, error.to_json()));
        let result = format!(r#"{{"success":false,{}}}"#, members.join(","));
        let result = Value::from_json(result).ok();
        Self {
            result: result.map(Box::new),
            ..error.into()
        }
    }

    /// The result without `success` and `error`, if there is more.
    fn rest(&self) -> Option<Value> {
        let others = others(self.result()?);
        let rest = format!("{{{}}}", others.join(","));
        Value::from_json(rest).ok().filter(|_| !others.is_empty())
    }

    /// The rules that a result broke, if this is about a broken contract.
    pub(crate) fn broken(&self) -> Option<&Violations> {
        let source = self.source.as_deref()?;
        let source = source.downcast_ref::<Violations>();
        source.filter(|_| self.kind() == ErrorKind::ContractViolation)
    }

    /// The cause, for the logs.
    #[must_use]
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.source.as_deref()
    }
}

/// The detail under which a failure keeps the rest of its result.
const RESULT: &str = "result";

/// The members of a failure besides `success` and `error`, as JSON.
fn others(result: &Value) -> Vec<String> {
    let members = result.root().members();
    let others = members.filter(|(key, _)| !["success", "error"].contains(&&**key));
    others
        .map(|(key, value)| format!("{}:{}", Value::from(&*key), value.text()))
        .collect()
}

/// A [`StandardError`] is passed on as it is; of any other error, callers learn only that the tool
/// failed.
impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        let error: Box<dyn Error + Send + Sync> = Box::new(error);
        match error.downcast::<StandardError>() {
            Ok(told) => Self {
                told,
                result: None,
                source: None,
            },
            Err(source) => Self::internal(source),
        }
    }
}

/// What becomes a [`ToolError`], with advice for what does not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not become a `ToolError`",
    label = "this is no error that a tool can return",
    note = "implement `std::error::Error` for it, or `From<{Self}>` for `ToolError`",
    note = "or return a `ToolError`: `ToolError::invalid(…)` and its like tell a model what to do, \
            `ToolError::internal(…)` tells only the logs"
)]
pub trait IntoToolError {
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> IntoToolError for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

/// What callers read: `NOT_FOUND_RESOURCE: There is no order 7.`
impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.told.fmt(f)
    }
}

/// With the cause: this is for developers.
impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.told)?;
        match &self.source {
            Some(source) => write!(f, " (because: {source})"),
            None => Ok(()),
        }
    }
}
