use crate::model::ErrorType;

use super::ErrorCategory;

/// All there is to say about a kind.
struct Row {
    /// The ADM error type, which several kinds may share.
    error_type: &'static str,
    /// The ADL error code, its own.
    code: &'static str,
    /// Whether it is what the error type and the HTTP status mean where other kinds share them.
    general: bool,
    /// The HTTP status.
    status: u16,
    retry: Retry,
    /// What went wrong, for a model.
    text: &'static str,
    /// What to do, for a model.
    advice: &'static str,
}

/// Makes the enum and its rows of one list. A row that lacks a column does not compile.
macro_rules! error_kinds {
    ($(
        #[doc = $doc:literal]
        $kind:ident $($general:ident)?: $error_type:literal, $code:literal, $status:literal,
        $retry:ident, $text:expr, $advice:expr;
    )*) => {
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

/// The sentence about a result that breaks its contract.
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
    /// A required argument is not there.
    MissingArgument: "PARAMETER_VALIDATION_FAILED", "VALIDATION_REQUIRED", 400, Never,
        "A required argument is missing. Give it and call again.",
        "add the missing argument and call again.";
    /// An argument breaks its schema.
    WrongArgument general: "PARAMETER_VALIDATION_FAILED", "VALIDATION_FORMAT", 400, Never,
        "An argument is not what the tool expects. Correct it and call again.",
        "correct the argument and call again.";
    /// A rule of the business forbids it.
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
    /// Nobody knows who is calling.
    NotAuthenticated: "PERMISSION_DENIED", "AUTH_UNAUTHORIZED", 401, Never,
        "The tool does not know who is calling. Someone has to sign in.",
        SIGN_IN;
    /// The credentials were good once.
    Expired: "PERMISSION_DENIED", "AUTH_EXPIRED", 401, Never,
        "The sign-in has expired. Someone has to sign in again.",
        SIGN_IN;
    /// The caller may not do this.
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
    /// The thing is in a state that does not allow it.
    WrongState general: "INVALID_STATE", "CONFLICT_STATE", 409, Never,
        "Its present state does not allow this.",
        "the same call will fail again as things are. Look at the present state first.";
    /// Too many calls in a span of time.
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
    /// The result breaks the contract of the tool.
    ContractViolation: "CONTRACT_VIOLATION", "INTERNAL_CONTRACT", 500, Never,
        withheld!("The tool"),
        "the fault is the tool's and not the call's, and it may have done its work all the \
        same. Do not repeat the call; tell the user.";
    /// The system is set up wrongly.
    Configuration: "CONFIGURATION_ERROR", "INTERNAL_CONFIGURATION", 500, Never,
        "The tool is not set up correctly.",
        "calling again does not help until the tool has been set up. Tell the user.";
    /// A panic, or anything that has no name.
    Internal general: "INTERNAL_ERROR", "INTERNAL_ERROR", 500, Never,
        "The tool failed.",
        "the same call will probably fail again. Try another way, or tell the user.";
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

/// What a model is told of a result that breaks the contract of its tool.
pub(super) fn withheld(tool: &str, returned: Option<&str>) -> String {
    match returned {
        None => format!(withheld!("`{}`"), tool),
        Some(returned) => format!(withheld!("`{}`", "{}"), tool, returned),
    }
}

impl ErrorKind {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// All kinds, in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = ErrorKind> {
        Self::ALL.iter().copied()
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

    /// The kind that the status of an HTTP response means, if it is one of the table.
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

    /// What a model may be told to do about it.
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

    /// The kind of a type, if it is one of the table.
    pub(super) fn of_type(name: &str) -> Option<Self> {
        Self::general(|row| row.error_type == name)
    }

    /// The kind of these rows that claims least.
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
