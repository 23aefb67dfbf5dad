use crate::Violations;
use crate::json::report::{Place, Report};
use crate::json::{Node, Value, Writer};
use crate::text::shorten;
use crate::violation::rules::result as rules;

use super::fields::{Fields, Structure};
use super::methods::document_methods;
use super::{Form, Model};

/// Why a call failed: a message for people and models, and a type for programs.
///
/// ```
/// use toolpact_core::model::{ErrorObject, ErrorType};
///
/// let error = ErrorObject::new("No city of that name")?.with_type("RESOURCE_NOT_FOUND");
/// assert_eq!(error.error_type(), Some(&ErrorType::ResourceNotFound));
/// assert!(ErrorObject::new("  ").is_err());
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Clone)]
pub struct ErrorObject {
    message: Box<str>,
    error_type: Option<ErrorType>,
}

document_methods!(ErrorObject);

const STRUCTURE: Structure = Structure {
    name: "an error object",
    required: &["message"],
    optional: &["type"],
    foreign: &[],
};

/// The eight standard types of ADM 3.5.9, or any other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ErrorType {
    /// The arguments break their schema.
    ParameterValidationFailed,
    /// What was asked for does not exist.
    ResourceNotFound,
    /// The caller may not do this.
    PermissionDenied,
    /// A rule of the business forbids it.
    BusinessRuleViolation,
    /// Something the tool depends on does not answer.
    ServiceUnavailable,
    /// Too many requests.
    RateLimitExceeded,
    /// The thing is in a state that does not allow it.
    InvalidState,
    /// The system is set up wrongly.
    ConfigurationError,
    /// A type of the tool's own.
    Custom(CustomErrorType),
}

/// An error type that is none of the standard ones. Made by [`ErrorType::from`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CustomErrorType(Box<str>);

/// The standard types and how they are written.
const STANDARD: [(&str, ErrorType); 8] = [
    (
        "PARAMETER_VALIDATION_FAILED",
        ErrorType::ParameterValidationFailed,
    ),
    ("RESOURCE_NOT_FOUND", ErrorType::ResourceNotFound),
    ("PERMISSION_DENIED", ErrorType::PermissionDenied),
    ("BUSINESS_RULE_VIOLATION", ErrorType::BusinessRuleViolation),
    ("SERVICE_UNAVAILABLE", ErrorType::ServiceUnavailable),
    ("RATE_LIMIT_EXCEEDED", ErrorType::RateLimitExceeded),
    ("INVALID_STATE", ErrorType::InvalidState),
    ("CONFIGURATION_ERROR", ErrorType::ConfigurationError),
];

impl ErrorObject {
    /// An error with this message, which must not be blank.
    pub fn new(message: &str) -> Result<Self, Violations> {
        let mut writer = Writer::default();
        writer
            .begin_object()
            .key("message")
            .string(message)
            .end_object();
        Self::from_value(&Value::trusted(writer))
    }

    /// The same error with a type.
    #[must_use]
    pub fn with_type(self, error_type: impl Into<ErrorType>) -> Self {
        Self {
            error_type: Some(error_type.into()),
            ..self
        }
    }

    /// One whose message is known to say something.
    pub(crate) fn trusted(message: &str, error_type: ErrorType) -> Self {
        Self {
            message: message.into(),
            error_type: Some(error_type),
        }
    }

    /// What went wrong, in words.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What went wrong, for programs.
    #[must_use]
    pub fn error_type(&self) -> Option<&ErrorType> {
        self.error_type.as_ref()
    }
}

impl ErrorType {
    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            ErrorType::Custom(custom) => &custom.0,
            standard => STANDARD
                .iter()
                .find(|(_, t)| t == standard)
                .map_or("", |(name, _)| name),
        }
    }
}

impl From<&str> for ErrorType {
    fn from(name: &str) -> Self {
        let standard = STANDARD.into_iter().find(|(known, _)| *known == name);
        standard.map_or_else(
            || ErrorType::Custom(CustomErrorType(name.into())),
            |(_, t)| t,
        )
    }
}

crate::text::display!(ErrorType: as_str);

impl Model for ErrorObject {
    fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let fields = Fields::read(node, &STRUCTURE, report)?;
        let message = fields.string("message", report);
        let error_type = fields.optional_string("type", report);
        if let (Some(name), Some(field)) = (&error_type, fields.get("type")) {
            warn_about_style(name, field.value, report);
        }
        let message = message?;
        if message.trim().is_empty() {
            let place = fields.get("message").map_or(node, |field| field.value);
            report.add(&rules::MESSAGE_BLANK, Place::Node(place.id()), |finding| {
                finding
                    .say("expected `message` to say something, found only white space or nothing")
                    .advise("say what went wrong and what to do");
            });
            return None;
        }
        Some(Self {
            message: message.into(),
            error_type: error_type.map(|t| (&*t).into()),
        })
    }

    fn write(&self, writer: &mut Writer, _: Form) {
        writer.begin_object().key("message").string(&self.message);
        if let Some(error_type) = &self.error_type {
            writer.key("type").string(error_type.as_str());
        }
        writer.end_object();
    }
}

fn warn_about_style(name: &str, node: Node<'_>, report: &mut Report) {
    let upper = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if upper {
        return;
    }
    report.add(&rules::TYPE_STYLE, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected UPPER_SNAKE_CASE, found `{}`",
            shorten(name)
        ));
        let better = upper_snake_case(name);
        if !better.is_empty() {
            finding.advise(format!("for example `{}`", shorten(&better)));
        }
    });
}

/// `hostDown` and `host-down` become `HOST_DOWN`.
fn upper_snake_case(name: &str) -> String {
    let mut out = String::new();
    let mut previous = '_';
    for c in name.chars() {
        let word_begins = c.is_ascii_uppercase() && previous.is_ascii_lowercase();
        if (word_begins || !c.is_ascii_alphanumeric()) && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        if c.is_ascii_alphanumeric() && !(out.is_empty() && c.is_ascii_digit()) {
            out.push(c.to_ascii_uppercase());
        }
        previous = c;
    }
    out.trim_end_matches('_').to_owned()
}
