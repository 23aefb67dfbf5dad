use crate::model::ErrorType;

use super::ErrorCategory;

/// The data of one kind.
struct Row {
    /// The ADM error type, which several kinds may share.
    error_type: &'static str,
    /// The ADL error code, unique to the kind.
    code: &'static str,
    /// Whether it is the default for an error type or HTTP status that several kinds share.
    general: bool,
    /// The HTTP status.
    status: u16,
    retry: Retry,
    /// What went wrong, for a model.
    text: &'static str,
    /// What to do, for a model.
    advice: &'static str,
}

/// Generates the enum and its rows from one list. A row that lacks a column does not compile.
macro_rules! error_kinds {
    ($(
        #[doc = $doc:literal]
        $kind:ident $($general:ident)?: $error_type:literal, $code:literal, $status:literal,
        $retry:ident, $text:expr, $advice:expr;
    )*) => {
        /// The kind of an error, with a name in both vocabularies: the error types of ADM and the
        /// error codes of ADL.
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
        /// // An unknown code is classified by its prefix.
        /// assert_eq!(ErrorKind::from_code("CONFLICT_LOCKED"), ErrorKind::WrongState);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $(#[doc = $doc] $kind,)*
        }

        impl ErrorKind {
            const ALL: &[ErrorKind] = &[$(ErrorKind::$kind),*];

            fn row(self) -> &'static Row {
                match self {
                    $(ErrorKind::$kind => &Row {
                        error_type: $error_type,
                        code: $code,
                        general: error_kinds!(@general $($general)?),
                        status: $status,
                        retry: Retry::$retry,
                        text: $text,
                        advice: $advice,
                    },)*
                }
            }
        }
    };
    (@general) => { false };
    (@general general) => { true };
}

const SIGN_IN: &str = "calling again does not help until the user has signed in. Tell the user.";
const ASK_FOR_PERMISSION: &str = "do not call again; the permission is missing. Tell the user.";
const MAY_HAVE_HAPPENED: &str = "it may have taken effect. Make the same call again only if doing \
    it twice does no harm; otherwise check first whether it was done.";

/// The sentence about a result that violates its contract.
macro_rules! withheld {
    ($who:literal) => {
        withheld!($who, "something other than it promises")
    };
    ($who:literal, $returned:literal) => {
        concat!(
            $who,
            " returned ",
            $returned,
            ", so its result was withheld."
        )
    };
}

error_kinds! {
    /// A required argument is missing.
    MissingArgument: "PARAMETER_VALIDATION_FAILED", "VALIDATION_REQUIRED", 400, Never,
        "A required argument is missing. Give it and call again.",
        "add the missing argument and call again.";
    /// An argument violates its schema.
    WrongArgument general: "PARAMETER_VALIDATION_FAILED", "VALIDATION_FORMAT", 400, Never,
        "An argument is not what the tool expects. Correct it and call again.",
        "correct the argument and call again.";
    /// A business rule forbids it.
    BusinessRule: "BUSINESS_RULE_VIOLATION", "VALIDATION_BUSINESS_RULE", 422, Never,
        "A business rule does not allow this.",
        "the same call will fail again. Ask for something that the rule allows, or tell the \
        user.";
    /// There is no such tool.
    UnknownTool: "RESOURCE_NOT_FOUND", "NOT_FOUND_ENDPOINT", 404, Never,
        "There is no tool of that name.",
        "call one of the tools that exist, by its exact name.";
    /// What was asked for does not exist.
    NotFound general: "RESOURCE_NOT_FOUND", "NOT_FOUND_RESOURCE", 404, Never,
        "What was asked for does not exist.",
        "the same call will fail again. Check the name or identifier, or look it up first.";
    /// The caller is not authenticated.
    NotAuthenticated: "PERMISSION_DENIED", "AUTH_UNAUTHORIZED", 401, Never,
        "The tool does not know who is calling. Someone has to sign in.",
        SIGN_IN;
    /// The credentials have expired.
    Expired: "PERMISSION_DENIED", "AUTH_EXPIRED", 401, Never,
        "The sign-in has expired. Someone has to sign in again.",
        SIGN_IN;
    /// The caller is not allowed to do this.
    NotAllowed general: "PERMISSION_DENIED", "FORBIDDEN_ACCESS", 403, Never,
        "This is not allowed.",
        ASK_FOR_PERMISSION;
    /// The caller's token does not cover this.
    Scope: "PERMISSION_DENIED", "FORBIDDEN_SCOPE", 403, Never,
        "The permissions that were granted do not cover this.",
        ASK_FOR_PERMISSION;
    /// It exists already.
    Duplicate: "INVALID_STATE", "CONFLICT_DUPLICATE", 409, Never,
        "It exists already.",
        "do not create it again. Use the one that exists, or another name.";
    /// The resource is in a state that does not allow it.
    WrongState general: "INVALID_STATE", "CONFLICT_STATE", 409, Never,
        "Its present state does not allow this.",
        "the same call will fail again as things are. Look at the present state first.";
    /// Too many calls in a period of time.
    RateLimited general: "RATE_LIMIT_EXCEEDED", "RATE_LIMIT_EXCEEDED", 429, Yes,
        "Too many calls. Wait and try again.",
        "wait a little, then make the same call again.";
    /// Too many calls at the same time.
    TooManyAtOnce: "RATE_LIMIT_EXCEEDED", "RATE_LIMIT_CONCURRENCY", 429, Yes,
        "Too many calls at the same time. Wait and try again.",
        "wait until other calls have ended, then make the same call again.";
    /// Something the tool depends on failed.
    DependencyFailed general: "SERVICE_UNAVAILABLE", "EXTERNAL_API_ERROR", 502, IfIdempotent,
        "A service that the tool depends on failed.",
        MAY_HAVE_HAPPENED;
    /// Something the tool depends on did not answer in time.
    DependencyTimedOut: "SERVICE_UNAVAILABLE", "EXTERNAL_TIMEOUT", 504, IfIdempotent,
        "A service that the tool depends on did not answer in time.",
        MAY_HAVE_HAPPENED;
    /// The tool itself took too long.
    TimedOut: "SERVICE_UNAVAILABLE", "INTERNAL_TIMEOUT", 504, IfIdempotent,
        "The tool did not finish in time.",
        MAY_HAVE_HAPPENED;
    /// The caller gave up.
    Cancelled: "CANCELLED", "INTERNAL_CANCELLED", 499, Never,
        "The call was cancelled.",
        "it may have been done in part. Call again only if it is still wanted.";
    /// The result violates the contract of the tool.
    ContractViolation: "CONTRACT_VIOLATION", "INTERNAL_CONTRACT", 500, Never,
        withheld!("The tool"),
        "the fault is the tool's and not the call's, and it may have done its work all the \
        same. Do not repeat the call; tell the user.";
    /// The tool is not the one that was agreed on, so it is not called.
    Quarantined: "CONTRACT_VIOLATION", "FORBIDDEN_QUARANTINED", 403, Never,
        "The tool is in quarantine: it is not the one that was agreed on. Nothing was done.",
        "calling again does not help until somebody has looked at the tool and accepted it. Tell the user.";
    /// The system is misconfigured.
    Configuration: "CONFIGURATION_ERROR", "INTERNAL_CONFIGURATION", 500, Never,
        "The tool is not set up correctly.",
        "calling again does not help until the tool has been set up. Tell the user.";
    /// A panic, or any other error.
    Internal general: "INTERNAL_ERROR", "INTERNAL_ERROR", 500, Never,
        "The tool failed.",
        "the same call will probably fail again. Try another way, or tell the user.";
}

/// Whether a failed call may be retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// No: it would fail again.
    Never,
    /// Yes: the call was not started.
    Yes,
    /// Only if the call is idempotent: it may have taken effect.
    IfIdempotent,
}

/// The message for a model about a result that violates the contract of its tool.
pub(super) fn withheld(tool: &str, returned: Option<&str>) -> String {
    match returned {
        None => format!(withheld!("`{}`"), tool),
        Some(returned) => format!(withheld!("`{}`", "{}"), tool, returned),
    }
}

impl ErrorKind {
    /// The number of kinds.
    pub const COUNT: usize = Self::ALL.len();

    /// All kinds, in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = ErrorKind> {
        Self::ALL.iter().copied()
    }

    /// The kind of an ADL error code. An unknown code is classified by its prefix, and one without
    /// a known prefix by the ADM error type of that name; any other is [`ErrorKind::Internal`].
    #[must_use]
    pub fn from_code(code: &str) -> Self {
        Self::of_code(code).unwrap_or(ErrorKind::Internal)
    }

    /// The kind of an ADM error type: the most general one, where several share it. A custom type
    /// of a tool is classified like a code.
    #[must_use]
    pub fn from_type(error_type: &ErrorType) -> Self {
        let name = error_type.as_str();
        Self::of_type(name).unwrap_or_else(|| Self::from_code(name))
    }

    /// The kind of an HTTP status, if the table has it.
    #[must_use]
    pub fn from_http_status(status: u16) -> Option<Self> {
        Self::general(|row| row.status == status)
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

    /// The status of an HTTP response for it. 499 is not registered; servers log it for a caller
    /// that gave up.
    #[must_use]
    pub fn http_status(self) -> u16 {
        self.row().status
    }

    /// Whether a failed call may be retried.
    #[must_use]
    pub fn retry(self) -> Retry {
        self.row().retry
    }

    /// The message for a model, where none was written for it.
    #[must_use]
    pub fn text(self) -> &'static str {
        self.row().text
    }

    /// The advice for a model.
    #[must_use]
    pub fn advice(self) -> &'static str {
        self.row().advice
    }

    /// The kind of a code, if anything is known about it.
    pub(super) fn of_code(code: &str) -> Option<Self> {
        Self::all()
            .find(|kind| kind.code() == code)
            .or_else(|| ErrorCategory::of_code(code).map(ErrorCategory::general_kind))
            .or_else(|| Self::of_type(code))
    }

    /// The kind of a type, if the table has it.
    pub(super) fn of_type(name: &str) -> Option<Self> {
        Self::general(|row| row.error_type == name)
    }

    /// The most general kind of the matching rows.
    fn general(wanted: impl Fn(&Row) -> bool) -> Option<Self> {
        let kinds = || Self::all().filter(|kind| wanted(kind.row()));
        kinds()
            .find(|kind| kind.row().general)
            .or_else(|| kinds().next())
    }
}

crate::text::display!(
    /// The ADL error code.
    ErrorKind: code
);
