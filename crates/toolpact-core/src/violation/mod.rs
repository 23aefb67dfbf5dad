//! What is wrong with a document: rules, and the places where they are broken.
//!
//! Every rule of the project is one row of the table in [`rules`]. A [`Violation`] is one row
//! broken at one place. Everything that reads documents collects them and returns all of them at
//! once, in document order.

mod checked;
pub mod fix;
mod list;
pub(crate) mod location;
pub(crate) mod nearest;
mod pointer;
mod rule;
pub mod rules;

pub use checked::Checked;
pub use list::Violations;
pub use location::Location;
pub use nearest::nearest;
pub use pointer::{Pointer, Token};
pub use rule::{Example, Rule, Severity, Subject};

/// One rule broken at one place.
#[derive(Debug, Clone)]
pub struct Violation {
    pub(crate) rule: &'static Rule,
    pub(crate) message: String,
    pub(crate) pointer: Pointer,
    pub(crate) schema_pointer: Option<Pointer>,
    pub(crate) location: Option<Location>,
    pub(crate) suggestion: Option<Suggestion>,
}

/// What to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suggestion {
    /// The advice, as a sentence without a full stop.
    pub text: String,
    /// The edit that follows it, where there is no doubt what was meant.
    pub fix: Option<Fix>,
}

/// An edit of the source text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The bytes of the source to replace.
    pub span: std::ops::Range<usize>,
    /// What to put there.
    pub replacement: String,
}

impl Violation {
    /// The rule that is broken.
    #[must_use]
    pub fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// The stable code of the rule, for example `schema-type-unknown`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.rule.code
    }

    /// Whether this makes the document invalid or is advice.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.severity
    }

    /// One line: the thing, what was expected and what was found.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where in the data.
    #[must_use]
    pub fn pointer(&self) -> &Pointer {
        &self.pointer
    }

    /// Where in the schema, when a value was checked against one.
    #[must_use]
    pub fn schema_pointer(&self) -> Option<&Pointer> {
        self.schema_pointer.as_ref()
    }

    /// Where in the source text, when the data was read from one.
    #[must_use]
    pub fn location(&self) -> Option<&Location> {
        self.location.as_ref()
    }

    /// What to write instead, where that can be said.
    #[must_use]
    pub fn suggestion(&self) -> Option<&Suggestion> {
        self.suggestion.as_ref()
    }
}

/// `3:14: error[schema-type-unknown] at /type: …; did you mean `STRING`?`
impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(location) = &self.location {
            write!(f, "{}:{}: ", location.line, location.column)?;
        }
        write!(f, "{}[{}]", self.severity(), self.code())?;
        if !self.pointer.is_root() {
            write!(f, " at {}", self.pointer.brief())?;
        }
        write!(f, ": {}", self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "; {}", suggestion.text),
            None => Ok(()),
        }
    }
}
