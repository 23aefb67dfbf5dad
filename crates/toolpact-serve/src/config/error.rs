use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use toolpact::core::json::Document;
use toolpact::core::violation::Violation;
use toolpact::core::{Pointer, Severity, Violations};

use super::hints::{Hint, Hints};
use super::locate::locate;

/// What is wrong with a config: every mistake with its place.
#[derive(Debug, Clone)]
pub struct ConfigError {
    file: Option<PathBuf>,
    problems: Vec<Problem>,
    unreadable: bool,
}

/// One thing that is wrong with a config.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// Where it is, as a JSON Pointer.
    pub pointer: String,
    /// Line and column, from 1, if they are known.
    pub place: Option<(usize, usize)>,
    /// What was expected and what was found.
    pub message: String,
}

impl ConfigError {
    /// What breaks the schema, with what was meant.
    pub(super) fn of_violations(violations: &Violations, hints: &Hints<'_>) -> Self {
        let errors = violations
            .iter()
            .filter(|v| v.severity() == Severity::Error);
        let problems = errors.filter_map(|violation| {
            let pointer = violation.pointer().to_string();
            Some(Problem {
                message: message(violation, &pointer, hints.of(violation))?,
                place: violation.location().map(|place| (place.line, place.column)),
                pointer,
            })
        });
        Self::of_problems(problems.collect())
    }

    /// Findings beyond the schema, with their places looked up.
    pub(super) fn of_findings(document: &Document, findings: Vec<(Pointer, String)>) -> Self {
        let problems = findings.into_iter().map(|(pointer, message)| Problem {
            place: locate(document, &pointer),
            pointer: pointer.to_string(),
            message,
        });
        Self::of_problems(problems.collect())
    }

    /// Findings in what was not read from a document.
    pub(super) fn without_places(findings: Vec<(Pointer, String)>) -> Self {
        let problems = findings.into_iter().map(|(pointer, message)| Problem {
            pointer: pointer.to_string(),
            place: None,
            message,
        });
        Self::of_problems(problems.collect())
    }

    pub(super) fn of_message(message: String) -> Self {
        Self::of_problems(vec![Problem {
            pointer: String::new(),
            place: None,
            message,
        }])
    }

    fn of_problems(problems: Vec<Problem>) -> Self {
        Self {
            file: None,
            problems,
            unreadable: false,
        }
    }

    /// There is a file, or should be, and nothing is known of what it says.
    pub(super) fn unreadable(file: &Path, error: &io::Error) -> Self {
        let message = format!("expected a config that can be read: {error}");
        Self {
            unreadable: true,
            ..Self::of_message(message).in_file(file)
        }
    }

    pub(super) fn in_file(mut self, file: &Path) -> Self {
        self.file = Some(file.to_owned());
        self
    }

    /// Whether the file could not be read at all.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.unreadable
    }

    /// Each thing that is wrong, in the order of the document.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// A line for each problem: `toolpact.yaml:3:5: at /sources/0: expected …`
impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.problems.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            if let Some(file) = &self.file {
                write!(f, "{}:", file.display())?;
            }
            if let Some((line, column)) = problem.place {
                write!(f, "{line}:{column}:")?;
            }
            if self.file.is_some() || problem.place.is_some() {
                f.write_str(" ")?;
            }
            if !problem.pointer.is_empty() {
                write!(f, "at {}: ", problem.pointer)?;
            }
            f.write_str(&problem.message)?;
        }
        Ok(())
    }
}

impl Error for ConfigError {}

/// What is wrong and what was meant; `None` if another problem says it.
fn message(violation: &Violation, pointer: &str, hint: Option<Hint>) -> Option<String> {
    let said = without_secrets(pointer, violation.message());
    let suggestion = violation.suggestion().map(|suggestion| &suggestion.text);
    Some(match (hint, suggestion) {
        (Some(Hint::Implied), _) => return None,
        (Some(Hint::Instead(meant)), _) => format!("{said}; {meant}"),
        (Some(Hint::Expected(expected)), _) => without_secrets(pointer, &expected),
        (None, Some(suggestion)) => format!("{said}; {suggestion}"),
        (None, None) => said,
    })
}

/// Where secrets stand, and what is not one but stands in its place.
const SECRET: [&str; 3] = ["/auth_token", "/headers", "/env"];

/// Whether a secret may stand at a place.
pub(super) fn is_secret(pointer: &str) -> bool {
    SECRET.iter().any(|place| pointer.contains(place))
}

/// What was found in the place of a secret may be one, and is not told.
fn without_secrets(pointer: &str, message: &str) -> String {
    // Of alternatives, the message names places, too: `at /sources/0/mcp/env expected …`.
    let nested = message.split(" at ").skip(1);
    let mut nested = nested.filter_map(|rest| rest.split_whitespace().next());
    let told = is_secret(pointer) || nested.any(is_secret);
    match message.split_once(", found") {
        Some((expected, _)) if told => {
            let advice = match pointer.ends_with("/env") {
                true => "name the variables, as in `[LANG]`",
                false => "a secret is `{ env: NAME }`",
            };
            format!("{expected}, found something else; {advice}")
        }
        _ => message.to_owned(),
    }
}
