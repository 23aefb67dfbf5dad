//! A broken rule of meaning, wherever it was detected.
//!
//! The rules that compare values are written once for each family of types, as [`Facts::broken`].
//! The fast path fills the facts from its notes, explanations from a document, and the constructors
//! of the Rust types from their arguments.

use std::fmt;

use crate::Error;
use crate::json::report::{Place, Report};
use crate::json::{Kind, Node};
use crate::model::describe;
use crate::violation::{Rule, Severity};

/// The values that the rules of a family compare. An unknown value is `None`, and breaks no rule.
pub(crate) trait Facts {
    /// Calls `tell` for each broken rule.
    fn broken(&self, tell: &mut dyn FnMut(Broken<'_>));

    /// Whether no rule is broken, warnings aside.
    fn hold(&self) -> bool {
        let mut hold = true;
        self.broken(&mut |broken| hold &= broken.rule.severity == Severity::Warning);
        hold
    }

    /// The first rule that is broken, warnings aside.
    fn first_error(&self) -> Option<Error> {
        let mut first = None;
        self.broken(&mut |broken| {
            if broken.rule.severity == Severity::Error {
                first.get_or_insert_with(|| Error::of(&broken));
            }
        });
        first
    }

    /// Reports the broken rules. `object` is the source of the facts.
    fn explain(&self, object: Node<'_>, report: &mut Report) {
        self.broken(&mut |broken| broken.explain(object, report));
    }
}

/// A broken rule. Its message is made only if it is asked for.
pub(crate) struct Broken<'a> {
    pub(crate) rule: &'static Rule,
    pub(crate) problem: Problem<'a>,
}

pub(crate) enum Problem<'a> {
    /// `key` must be present beside the member `outcome`, or absent if it is present.
    Beside {
        key: &'static str,
        outcome: &'static str,
    },
    /// A value contradicts others.
    Wrong {
        /// The keys that lead to the value.
        at: &'static [&'static str],
        expected: fmt::Arguments<'a>,
        found: Found<'a>,
        advice: Option<&'static str>,
    },
}

/// What was found instead.
#[derive(Clone, Copy)]
pub(crate) enum Found<'a> {
    /// The value itself. If it has a position in a text, it is described as written there.
    Value(&'a dyn fmt::Display),
    /// Something else, such as the number of items.
    Said(&'a dyn fmt::Display),
    /// Nothing to add to what was expected.
    Nothing,
}

impl<'a> Broken<'a> {
    pub(super) fn wrong(
        rule: &'static Rule,
        at: &'static [&'static str],
        expected: fmt::Arguments<'a>,
        found: Found<'a>,
    ) -> Self {
        let problem = Problem::Wrong {
            at,
            expected,
            found,
            advice: None,
        };
        Self { rule, problem }
    }

    pub(super) fn advise(mut self, text: &'static str) -> Self {
        if let Problem::Wrong { advice, .. } = &mut self.problem {
            *advice = Some(text);
        }
        self
    }

    pub(super) fn beside(rule: &'static Rule, key: &'static str, outcome: &'static str) -> Self {
        let problem = Problem::Beside { key, outcome };
        Self { rule, problem }
    }

    fn explain(self, object: Node<'_>, report: &mut Report) {
        match self.problem {
            Problem::Beside { key, outcome } => beside(self.rule, key, outcome, object, report),
            Problem::Wrong {
                at,
                expected,
                found,
                advice,
            } => {
                let Some(node) = at.iter().try_fold(object, |node, key| node.get(key)) else {
                    return;
                };
                report.add(self.rule, Place::Node(node.id()), |finding| {
                    finding.say(match found {
                        Found::Value(_) => format!("expected {expected}, found {}", describe(node)),
                        found => format!("expected {expected}{found}"),
                    });
                    if let Some(advice) = advice {
                        finding.advise(advice);
                    }
                });
            }
        }
    }
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Value(found) | Found::Said(found) => write!(f, ", found {found}"),
            Found::Nothing => Ok(()),
        }
    }
}

fn beside(rule: &'static Rule, key: &str, outcome: &str, object: Node<'_>, report: &mut Report) {
    let Some(said) = object.get(outcome) else {
        return;
    };
    let beside = format!("`{key}` beside `{outcome}: {}`", said.text());
    let mut entries = object.entries();
    match entries.find(|(name, _)| name.as_str().is_some_and(|name| name == key)) {
        None => report.add(rule, Place::Node(said.id()), |finding| {
            finding.say(format!("expected {beside}, found none"));
        }),
        // The schema already rejects null.
        Some((_, value)) if value.kind() == Kind::Null => {}
        Some((name, value)) => report.add(rule, Place::Key(name.id()), |finding| {
            finding
                .say(format!("expected no {beside}, found {}", describe(value)))
                .advise(format!("leave it out, or change `{outcome}`"));
        }),
    }
}
