use std::fmt;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use toolpact_core::{Pointer, Severity};

use super::words::shorten_to;

/// One thing that is wrong with a plan: where, what was expected and found, what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanProblem {
    pub(super) rule: PlanRule,
    pub(super) step: Option<Box<str>>,
    pub(super) pointer: Pointer,
    pub(super) message: String,
    pub(super) suggestion: Option<String>,
}

/// What a [`PlanProblem`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlanRule {
    /// A plan is strict JSON.
    Json,
    /// A plan is a list of steps, and a step has the fields of a step.
    Shape,
    /// A plan stays within its limits.
    Limit,
    /// Every step has an id of its own.
    Id,
    /// What is in double braces is a reference.
    Reference,
    /// Steps refer to steps that are there.
    UnknownStep,
    /// Steps do not wait for each other.
    Cycle,
    /// The tools of a plan are there.
    UnknownTool,
    /// What a step reads can be in the result that is promised.
    UnknownField,
    /// What a step reads is named in the result that is promised.
    UnpromisedField,
}

impl PlanProblem {
    /// What it is about.
    #[must_use]
    pub fn rule(&self) -> PlanRule {
        self.rule
    }

    /// The stable code of that: `plan-unknown-step`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.rule.code()
    }

    /// Whether the plan cannot run, or may not do what was meant.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.rule.severity()
    }

    /// The id of the step it is in, unless it is about the plan as a whole.
    #[must_use]
    pub fn step(&self) -> Option<&str> {
        self.step.as_deref()
    }

    /// Where in the step: `/args/customer`. Where in the plan, if there is no step.
    #[must_use]
    pub fn pointer(&self) -> &Pointer {
        &self.pointer
    }

    /// One line: what was expected and what was found.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to write instead, where that can be said.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }

    /// Where, in words: ``step `s2` at /args/customer``.
    pub(super) fn place(&self) -> String {
        let step = self.step.iter().map(|step| format!("step `{step}`"));
        let pointer = (!self.pointer.is_root()).then(|| format!("at {}", brief(&self.pointer)));
        step.chain(pointer).collect::<Vec<_>>().join(" ")
    }

    /// Without code and step, for where these are known.
    pub(super) fn in_words(&self) -> String {
        match self.pointer.is_root() {
            true => self.advice(),
            false => format!("at {}: {}", brief(&self.pointer), self.advice()),
        }
    }

    fn advice(&self) -> String {
        match &self.suggestion {
            Some(suggestion) => format!("{}; {suggestion}", self.message),
            None => self.message.clone(),
        }
    }
}

impl PlanRule {
    /// Stable and readable: `plan-unknown-step`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            PlanRule::Json => "plan-json",
            PlanRule::Shape => "plan-shape",
            PlanRule::Limit => "plan-limit",
            PlanRule::Id => "plan-id",
            PlanRule::Reference => "plan-reference",
            PlanRule::UnknownStep => "plan-unknown-step",
            PlanRule::Cycle => "plan-circle",
            PlanRule::UnknownTool => "plan-unknown-tool",
            PlanRule::UnknownField => "plan-unknown-field",
            PlanRule::UnpromisedField => "plan-unpromised-field",
        }
    }

    /// Only a field that may be there although nobody promises it is a warning.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            PlanRule::UnpromisedField => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

/// `` error[plan-unknown-step] in step `s2` at /args/id: …; did you mean `s1`? ``
impl fmt::Display for PlanProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.severity(), self.code())?;
        let place = self.place();
        match (&self.step, place.as_str()) {
            (_, "") => {}
            (Some(_), place) => write!(f, " in {place}")?,
            (None, place) => write!(f, " {place}")?,
        }
        write!(f, ": {}", self.advice())
    }
}

/// As JSON: `rule`, `severity`, `step`, `at`, `message`, and `suggestion` where there is one.
impl Serialize for PlanProblem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("PlanProblem", 6)?;
        object.serialize_field("rule", self.code())?;
        object.serialize_field("severity", &self.severity().to_string())?;
        if let Some(step) = self.step() {
            object.serialize_field("step", step)?;
        }
        object.serialize_field("at", &self.pointer.to_string())?;
        object.serialize_field("message", self.message())?;
        if let Some(suggestion) = self.suggestion() {
            object.serialize_field("suggestion", suggestion)?;
        }
        object.end()
    }
}

/// A pointer for a message: one line, and not a long one.
pub(super) fn brief(pointer: &Pointer) -> String {
    const LONGEST: usize = 200;
    shorten_to(&pointer.to_string(), LONGEST)
}
