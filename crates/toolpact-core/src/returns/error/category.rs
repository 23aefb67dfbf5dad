use super::ErrorKind;

/// The eight categories of ADL error codes, recognised by the prefix of a code.
///
/// ```
/// use toolpact_core::returns::ErrorCategory;
///
/// assert_eq!(ErrorCategory::of_code("AUTH_EXPIRED"), Some(ErrorCategory::Authentication));
/// assert_eq!(ErrorCategory::of_code("HOST_DOWN"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCategory {
    /// The arguments are wrong.
    Validation,
    /// The caller is not authenticated.
    Authentication,
    /// The caller is not allowed to do this.
    Authorization,
    /// What was asked for does not exist.
    NotFound,
    /// The current state does not allow it.
    Conflict,
    /// Too many calls.
    RateLimit,
    /// The tool itself failed.
    Internal,
    /// Something the tool depends on failed.
    External,
}

/// Name, prefix, and the kind of an unknown code of the category, in the order of the enum, which
/// is the order of the specification.
#[rustfmt::skip]
static TABLE: [(ErrorCategory, &str, &str, ErrorKind); 8] = [
    (ErrorCategory::Validation, "Validation", "VALIDATION_", ErrorKind::WrongArgument),
    (ErrorCategory::Authentication, "Authentication", "AUTH_", ErrorKind::NotAuthenticated),
    (ErrorCategory::Authorization, "Authorization", "FORBIDDEN_", ErrorKind::NotAllowed),
    (ErrorCategory::NotFound, "Not Found", "NOT_FOUND_", ErrorKind::NotFound),
    (ErrorCategory::Conflict, "Conflict", "CONFLICT_", ErrorKind::WrongState),
    (ErrorCategory::RateLimit, "Rate Limit", "RATE_LIMIT_", ErrorKind::RateLimited),
    (ErrorCategory::Internal, "Internal", "INTERNAL_", ErrorKind::Internal),
    (ErrorCategory::External, "External", "EXTERNAL_", ErrorKind::DependencyFailed),
];

impl ErrorCategory {
    /// All eight, in the order of the specification.
    pub fn all() -> impl ExactSizeIterator<Item = ErrorCategory> {
        TABLE.iter().map(|(category, ..)| *category)
    }

    /// The category of a code. The prefix alone, `NOT_FOUND`, is a code of it too.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        TABLE
            .iter()
            .find(|(_, _, prefix, _)| {
                code.starts_with(prefix) || prefix.strip_suffix('_') == Some(code)
            })
            .map(|(category, ..)| *category)
    }

    /// The name: `Not Found`.
    #[must_use]
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// What its codes begin with: `NOT_FOUND_`.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        TABLE[self as usize].2
    }

    pub(crate) fn general_kind(self) -> ErrorKind {
        TABLE[self as usize].3
    }
}

crate::text::display!(ErrorCategory: name);
