//! A rule of meaning that is broken, whoever noticed it.
//!
//! The rules that compare values are written once for each family of types, as [`Facts::broken`].
//! The fast path fills the facts from its notes, explanations from a document, and the constructors
//! of the Rust types from their arguments.

use std::fmt;

use crate::json::{Kind, Node};
use crate::model::describe;
use crate::violation::report::{Place, Report};
use crate::violation::{Rule, Severity};

/// What the rules of a family compare. What is not known is `None`, and breaks nothing.
pub(crate) trait Facts {
    /// Calls `tell` for each broken rule.
    fn broken(&self, tell: &mut dyn FnMut(Broken<'_>));

    /// Whether no rule is broken, warnings aside.
    fn hold(&self) -> bool {
        let mut hold = true;
        self.broken(&mut |broken| hold &= broken.rule.severity == Severity::Warning);
        hold
    }

    /// Reports the broken rules. `object` is where the facts are from.
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
    /// `key` must stand beside the member `outcome`, which says how it went.
    Missing {
        key: &'static str,
        outcome: &'static str,
    },
    /// `key` must not stand beside the member `outcome`, which says how it went.
    Unwanted {
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
    /// The value itself. Where it is in a text, it is described as it is written there.
    Value(&'a dyn fmt::Display),
    /// Something else, such as how many items there are.
    Said(&'a dyn fmt::Display),
    /// What was expected says it all.
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

    pub(super) fn missing(rule: &'static Rule, key: &'static str, outcome: &'static str) -> Self {
        let problem = Problem::Missing { key, outcome };
        Self { rule, problem }
    }

    pub(super) fn unwanted(rule: &'static Rule, key: &'static str, outcome: &'static str) -> Self {
        let problem = Problem::Unwanted { key, outcome };
        Self { rule, problem }
    }

    fn explain(self, object: Node<'_>, report: &mut Report) {
        let rule = self.rule;
        match self.problem {
            Problem::Missing { key, outcome } => missing(rule, key, outcome, object, report),
            Problem::Unwanted { key, outcome } => unwanted(rule, key, outcome, object, report),
            Problem::Wrong {
                at,
                expected,
                found,
                advice,
            } => {
                let Some(node) = at.iter().try_fold(object, |node, key| node.get(key)) else {
                    return;
                };
                report.add(rule, Place::Node(node.id()), |finding| {
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

fn missing(rule: &'static Rule, key: &str, outcome: &str, object: Node<'_>, report: &mut Report) {
    let Some(node) = object.get(outcome) else {
        return;
    };
    report.add(rule, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected `{key}` beside `{outcome}: {}`, found none",
            node.text()
        ));
    });
}

/// About null, the schema complains.
fn unwanted(rule: &'static Rule, key: &str, outcome: &str, object: Node<'_>, report: &mut Report) {
    let mut entries = object.entries();
    let found = entries.find(|(name, value)| {
        value.kind() != Kind::Null && name.as_str().is_some_and(|name| name == key)
    });
    let (Some((name, value)), Some(node)) = (found, object.get(outcome)) else {
        return;
    };
    report.add(rule, Place::Key(name.id()), |finding| {
        finding
            .say(format!(
                "expected no `{key}` beside `{outcome}: {}`, found {}",
                node.text(),
                describe(value)
            ))
            .advise(format!("leave it out, or change `{outcome}`"));
    });
}
