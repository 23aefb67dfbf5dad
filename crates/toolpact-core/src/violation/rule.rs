use std::fmt;

/// One rule: its code, how serious it is, why it is there, and an example on each side of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// Stable, unique, readable: `schema-type-unknown`.
    pub code: &'static str,
    /// Whether breaking it makes a document invalid.
    pub severity: Severity,
    /// The rule in one sentence.
    pub title: &'static str,
    /// Why the rule is there and what to do, for `toolpact explain`.
    pub explanation: &'static str,
    /// Breaks this rule and no other.
    pub wrong: Example,
    /// The same thing written right.
    pub right: Example,
    /// Whether it is applied only when it is asked for, because it alarms about many good tools.
    pub on_request: bool,
}

/// How serious a violation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Legal, but probably not what was meant.
    Warning,
    /// The document is not valid.
    Error,
}

/// A piece of text that shows a rule, and what kind of document it is.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Example {
    /// What to read the text as.
    pub subject: Subject,
    /// The text; bytes, because some rules are about what is not text.
    pub text: &'static [u8],
}

/// What an [`Example`] is an example of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// Any JSON.
    Json,
    /// Any JSON, under limits small enough to show on a page.
    LimitedJson {
        /// The deepest nesting allowed.
        depth: usize,
        /// The most bytes allowed.
        bytes: usize,
    },
    /// Any YAML.
    Yaml,
    /// A document whose kind is to be found out.
    Any,
    /// An ADM tool.
    Tool,
    /// An ADM function declaration.
    Declaration,
    /// An ADM schema.
    Schema,
    /// An ADL agent document.
    Agent,
    /// An ADL return type object.
    ReturnType,
    /// A JSON Schema, 2020-12.
    JsonSchema,
    /// A value under the JSON Schema given here.
    ValueOf(&'static str),
    /// An ADM function call on its own.
    Call,
    /// A call of the tool given here.
    CallTo(&'static str),
    /// An ADM tool result on its own.
    Result,
    /// The result of the call given here.
    ResultOf(&'static str),
    /// A value of the standard return type named here.
    ReturnValue(&'static str),
    /// A contract document.
    Contract,
    /// A document with tools, which is looked at by all rules of [`lint`](crate::lint).
    Lint,
}

impl Rule {
    pub(super) const fn error(code: &'static str, title: &'static str) -> Self {
        Self::new(code, Severity::Error, title)
    }

    pub(super) const fn warning(code: &'static str, title: &'static str) -> Self {
        Self::new(code, Severity::Warning, title)
    }

    const fn new(code: &'static str, severity: Severity, title: &'static str) -> Self {
        let none = Example {
            subject: Subject::Json,
            text: b"",
        };
        Self {
            code,
            severity,
            title,
            explanation: "",
            wrong: none,
            right: none,
            on_request: false,
        }
    }

    pub(super) const fn on_request(mut self) -> Self {
        self.on_request = true;
        self
    }

    pub(super) const fn because(mut self, explanation: &'static str) -> Self {
        self.explanation = explanation;
        self
    }

    /// The same subject on both sides, so that the difference is the rule and nothing else.
    pub(super) const fn shown(
        mut self,
        subject: Subject,
        wrong: &'static [u8],
        right: &'static [u8],
    ) -> Self {
        self.wrong = Example {
            subject,
            text: wrong,
        };
        self.right = Example {
            subject,
            text: right,
        };
        self
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}
