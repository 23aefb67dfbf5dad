use std::fmt;

use crate::model::ErrorType;

use super::ErrorCategory;

/// What went wrong, as one thing with a name in each of the two vocabularies: the error types of
/// ADM and the error codes of ADL.
///
/// ```
/// use toolpact_core::model::ErrorType;
/// use toolpact_core::returns::{ErrorKind, Retry};
///
/// let kind = ErrorKind::from_code("EXTERNAL_TIMEOUT");
/// assert_eq!(kind, ErrorKind::DependencyTimedOut);
/// assert_eq!(kind.error_type(), ErrorType::ServiceUnavailable);
/// assert_eq!(kind.retry(), Retry::IfIdempotent);
///
/// // An unknown code is told by its prefix.
/// assert_eq!(ErrorKind::from_code("CONFLICT_LOCKED"), ErrorKind::WrongState);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A required argument is not there.
    MissingArgument,
    /// An argument breaks its schema.
    WrongArgument,
    /// A rule of the business forbids it.
    BusinessRule,
    /// There is no such tool.
    UnknownTool,
    /// What was asked for does not exist.
    NotFound,
    /// Nobody knows who is calling.
    NotAuthenticated,
    /// The credentials were good once.
    Expired,
    /// The caller may not do this.
    NotAllowed,
    /// The caller's token does not cover this.
    Scope,
    /// It exists already.
    Duplicate,
    /// The thing is in a state that does not allow it.
    WrongState,
    /// Too many calls in a span of time.
    RateLimited,
    /// Too many calls at the same time.
    TooManyAtOnce,
    /// Something the tool depends on failed.
    DependencyFailed,
    /// Something the tool depends on did not answer in time.
    DependencyTimedOut,
    /// The tool itself took too long.
    TimedOut,
    /// The caller gave up.
    Cancelled,
    /// The result breaks the contract of the tool.
    ContractViolation,
    /// The system is set up wrongly.
    Configuration,
    /// A panic, or anything that has no name.
    Internal,
}

/// Whether to try again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Retry {
    /// It would fail again.
    Never,
    /// It did not begin, so it can.
    Yes,
    /// It may have happened, so only what can be done twice.
    IfIdempotent,
}

/// One row of the table.
struct Row {
    kind: ErrorKind,
    error_type: &'static str,
    code: &'static str,
    status: u16,
    retry: Retry,
    text: &'static str,
}

macro_rules! rows {
    ($($kind:ident $error_type:literal $code:literal $status:literal $retry:ident $text:literal;)*) => {
        [$(Row {
            kind: ErrorKind::$kind,
            error_type: $error_type,
            code: $code,
            status: $status,
            retry: Retry::$retry,
            text: $text,
        }),*]
    };
}

/// In the order of the enum.
static TABLE: [Row; 20] = rows! {
    MissingArgument "PARAMETER_VALIDATION_FAILED" "VALIDATION_REQUIRED" 400 Never
        "A required argument is missing. Give it and call again.";
    WrongArgument "PARAMETER_VALIDATION_FAILED" "VALIDATION_FORMAT" 400 Never
        "An argument is not what the tool expects. Correct it and call again.";
    BusinessRule "BUSINESS_RULE_VIOLATION" "VALIDATION_BUSINESS_RULE" 422 Never
        "A business rule does not allow this.";
    UnknownTool "RESOURCE_NOT_FOUND" "NOT_FOUND_ENDPOINT" 404 Never
        "There is no tool of that name.";
    NotFound "RESOURCE_NOT_FOUND" "NOT_FOUND_RESOURCE" 404 Never
        "What was asked for does not exist.";
    NotAuthenticated "PERMISSION_DENIED" "AUTH_UNAUTHORIZED" 401 Never
        "The tool does not know who is calling. Someone has to sign in.";
    Expired "PERMISSION_DENIED" "AUTH_EXPIRED" 401 Never
        "The sign-in has expired. Someone has to sign in again.";
    NotAllowed "PERMISSION_DENIED" "FORBIDDEN_ACCESS" 403 Never
        "This is not allowed.";
    Scope "PERMISSION_DENIED" "FORBIDDEN_SCOPE" 403 Never
        "The permissions that were granted do not cover this.";
    Duplicate "INVALID_STATE" "CONFLICT_DUPLICATE" 409 Never
        "It exists already.";
    WrongState "INVALID_STATE" "CONFLICT_STATE" 409 Never
        "Its present state does not allow this.";
    RateLimited "RATE_LIMIT_EXCEEDED" "RATE_LIMIT_EXCEEDED" 429 Yes
        "Too many calls. Wait and try again.";
    TooManyAtOnce "RATE_LIMIT_EXCEEDED" "RATE_LIMIT_CONCURRENCY" 429 Yes
        "Too many calls at the same time. Wait and try again.";
    DependencyFailed "SERVICE_UNAVAILABLE" "EXTERNAL_API_ERROR" 502 IfIdempotent
        "A service that the tool depends on failed.";
    DependencyTimedOut "SERVICE_UNAVAILABLE" "EXTERNAL_TIMEOUT" 504 IfIdempotent
        "A service that the tool depends on did not answer in time.";
    TimedOut "SERVICE_UNAVAILABLE" "INTERNAL_TIMEOUT" 504 IfIdempotent
        "The tool did not finish in time.";
    Cancelled "CANCELLED" "INTERNAL_CANCELLED" 499 Never
        "The call was cancelled.";
    ContractViolation "CONTRACT_VIOLATION" "INTERNAL_CONTRACT" 500 Never
        "The tool returned something other than it promises, so its result was withheld.";
    Configuration "CONFIGURATION_ERROR" "INTERNAL_CONFIGURATION" 500 Never
        "The tool is not set up correctly.";
    Internal "INTERNAL_ERROR" "INTERNAL_ERROR" 500 Never
        "The tool failed.";
};

/// The kinds that stand for an error type of ADM which several kinds share.
const GENERAL: [ErrorKind; 6] = [
    ErrorKind::WrongArgument,
    ErrorKind::NotFound,
    ErrorKind::NotAllowed,
    ErrorKind::WrongState,
    ErrorKind::RateLimited,
    ErrorKind::DependencyFailed,
];

impl ErrorKind {
    /// All kinds, in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = ErrorKind> {
        TABLE.iter().map(|row| row.kind)
    }

    /// The kind that an ADL error code means. An unknown code is told by its prefix, and one with
    /// no known prefix by the ADM error type of that name; what is left is [`ErrorKind::Internal`].
    #[must_use]
    pub fn from_code(code: &str) -> Self {
        Self::of_code(code).unwrap_or(ErrorKind::Internal)
    }

    /// The kind that an ADM error type means: the most general one, where several share it.
    /// A type of a tool's own means what the same word means as a code.
    #[must_use]
    pub fn from_type(error_type: &ErrorType) -> Self {
        let name = error_type.as_str();
        Self::of_type(name).unwrap_or_else(|| Self::from_code(name))
    }

    /// Its ADL error code: `NOT_FOUND_RESOURCE`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// Its ADM error type.
    #[must_use]
    pub fn error_type(self) -> ErrorType {
        self.row().error_type.into()
    }

    /// The category of its code.
    #[must_use]
    pub fn category(self) -> ErrorCategory {
        ErrorCategory::of_code(self.code()).unwrap_or(ErrorCategory::Internal)
    }

    /// The status of an HTTP response that says so. 499 is not a registered one, but the one that
    /// servers log for a caller that gave up.
    #[must_use]
    pub fn http_status(self) -> u16 {
        self.row().status
    }

    /// Whether to try again.
    #[must_use]
    pub fn retry(self) -> Retry {
        self.row().retry
    }

    /// What a model may be told where there is no message that was written for it.
    #[must_use]
    pub fn text(self) -> &'static str {
        self.row().text
    }

    /// The kind of a code, if anything is known about it.
    pub(super) fn of_code(code: &str) -> Option<Self> {
        TABLE
            .iter()
            .find(|row| row.code == code)
            .map(|row| row.kind)
            .or_else(|| ErrorCategory::of_code(code).map(ErrorCategory::general_kind))
            .or_else(|| Self::of_type(code))
    }

    /// The kind of a type, if it is one of the table.
    pub(super) fn of_type(name: &str) -> Option<Self> {
        let mut kinds = TABLE.iter().filter(|row| row.error_type == name);
        let first = kinds.clone().next()?.kind;
        let general = kinds.find(|row| GENERAL.contains(&row.kind));
        Some(general.map_or(first, |row| row.kind))
    }

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// The ADL error code.
impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
