use std::fmt;

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::Pointer;
use crate::json::Value;
use crate::text::{display, shorten_to};

use super::Verdict;

/// Whom a change concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Concern {
    /// Those who call the tool: arguments that were accepted and are not, and its name.
    Callers,
    /// Those who read its results: results that are possible and were not.
    Readers,
    /// Models: names, descriptions, text, order.
    Models,
    /// Those who run agents: effects, times, the type of results.
    Operators,
}

/// What changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The tool is new.
    ToolAdded,
    /// The tool is gone.
    ToolRemoved,
    /// The tool has another name.
    ToolRenamed,
    /// The name in the document that the tool is from.
    OriginalName,
    /// The description of the tool.
    Description,
    /// The text template.
    Text,
    /// An effect.
    Effect,
    /// The time that a call may take.
    Timeout,
    /// What kind of result is promised.
    ReturnType,
    /// What is said about results: description, examples, content type.
    ResultDocumentation,
    /// A parameter, or a member of a result, is described that was not.
    KeyAdded,
    /// A parameter, or a member of a result, is not described any more.
    KeyRemoved,
    /// A key that was optional is required.
    KeyRequired,
    /// A key that was required is optional.
    KeyOptional,
    /// Whether there may be other keys.
    OtherKeys,
    /// The allowed types.
    Type,
    /// The allowed values, by `enum` or `const`.
    Values,
    /// The elements of an array.
    Items,
    /// A limit: the range of a number, the length of a text, a pattern, a format, …
    Limit,
    /// An alternative was added or removed.
    Alternatives,
    /// A condition that has no shorter name.
    Condition,
    /// A description, default or example in a schema.
    Documentation,
    /// The order of parameters.
    Order,
    /// The schema as a whole, where the difference has no single place.
    Schema,
}

/// One difference between two contracts of a tool.
#[derive(Debug, Clone)]
pub struct Change {
    pub(super) kind: ChangeKind,
    pub(super) concern: Concern,
    pub(super) verdict: Verdict,
    pub(super) old_place: Option<Pointer>,
    pub(super) new_place: Option<Pointer>,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
    pub(super) message: String,
    pub(super) witness: Option<Witness>,
}

/// What was valid and is not any more.
#[derive(Debug, Clone)]
pub struct Witness {
    pub(super) kind: WitnessKind,
    pub(super) value: Value,
    pub(super) reason: String,
}

/// What a witness is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WitnessKind {
    /// A call, with `name` and `args`, that the old contract accepts and the new one refuses.
    Call,
    /// A result that the new contract allows and the old one refuses.
    Result,
    /// A call that both contracts accept, for which something was promised that is not any more.
    Promise,
}

impl ChangeKind {
    /// The code, as `key-required`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::ToolAdded => "tool-added",
            Self::ToolRemoved => "tool-removed",
            Self::ToolRenamed => "tool-renamed",
            Self::OriginalName => "original-name",
            Self::Description => "description",
            Self::Text => "text",
            Self::Effect => "effect",
            Self::Timeout => "timeout",
            Self::ReturnType => "return-type",
            Self::ResultDocumentation => "result-documentation",
            Self::KeyAdded => "key-added",
            Self::KeyRemoved => "key-removed",
            Self::KeyRequired => "key-required",
            Self::KeyOptional => "key-optional",
            Self::OtherKeys => "other-keys",
            Self::Type => "type",
            Self::Values => "values",
            Self::Items => "items",
            Self::Limit => "limit",
            Self::Alternatives => "alternatives",
            Self::Condition => "condition",
            Self::Documentation => "documentation",
            Self::Order => "order",
            Self::Schema => "schema",
        }
    }
}

impl Concern {
    /// The name: `callers`, `readers`, `models` or `operators`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Callers => "callers",
            Self::Readers => "readers",
            Self::Models => "models",
            Self::Operators => "operators",
        }
    }
}

impl WitnessKind {
    /// The name: `call`, `result` or `promise`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Result => "result",
            Self::Promise => "promise",
        }
    }
}

display!(ChangeKind: code, Concern: name, WitnessKind: name);

impl Change {
    /// What changed.
    #[must_use]
    pub fn kind(&self) -> ChangeKind {
        self.kind
    }

    /// Whom it concerns.
    #[must_use]
    pub fn concern(&self) -> Concern {
        self.concern
    }

    /// What it means for them.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The place in the old contract.
    #[must_use]
    pub fn old_place(&self) -> Option<&Pointer> {
        self.old_place.as_ref()
    }

    /// The place in the new contract.
    #[must_use]
    pub fn new_place(&self) -> Option<&Pointer> {
        self.new_place.as_ref()
    }

    /// What was there.
    #[must_use]
    pub fn before(&self) -> Option<&Value> {
        self.before.as_ref()
    }

    /// What is there now.
    #[must_use]
    pub fn after(&self) -> Option<&Value> {
        self.after.as_ref()
    }

    /// The change in one line, without what it means.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What was valid and is not any more; always there if the change is breaking.
    #[must_use]
    pub fn witness(&self) -> Option<&Witness> {
        self.witness.as_ref()
    }
}

impl Witness {
    /// What it is.
    #[must_use]
    pub fn kind(&self) -> WitnessKind {
        self.kind
    }

    /// The call, or the result.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Why it is refused.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The longest value in a line of text.
    const LONGEST: usize = 300;
}

/// As in `the call {"name":"f","args":{}} is refused now: expected the required key `city`, found none`.
impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = shorten_to(self.value.text(), Self::LONGEST);
        let reason = &self.reason;
        match self.kind {
            WitnessKind::Call => write!(f, "the call {value} was accepted and is not: {reason}"),
            WitnessKind::Result => write!(f, "the result {value} is allowed and was not: {reason}"),
            WitnessKind::Promise => write!(f, "of the call {value}: {reason}"),
        }
    }
}

/// As in `breaking for callers: `days` is required`, and the witness, if there is one.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}: {}", self.verdict, self.concern, self.message)?;
        match &self.witness {
            Some(witness) => write!(f, "; {witness}"),
            None => Ok(()),
        }
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = |place: &Option<Pointer>| place.as_ref().map(ToString::to_string);
        let mut change = serializer.serialize_struct("Change", 9)?;
        change.serialize_field("kind", self.kind.code())?;
        change.serialize_field("concerns", self.concern.name())?;
        change.serialize_field("verdict", &self.verdict)?;
        change.serialize_field("message", &self.message)?;
        if let Some(place) = place(&self.old_place) {
            change.serialize_field("old_place", &place)?;
        }
        if let Some(place) = place(&self.new_place) {
            change.serialize_field("new_place", &place)?;
        }
        if let Some(before) = &self.before {
            change.serialize_field("before", before)?;
        }
        if let Some(after) = &self.after {
            change.serialize_field("after", after)?;
        }
        if let Some(witness) = &self.witness {
            change.serialize_field("witness", witness)?;
        }
        change.end()
    }
}

impl Serialize for Witness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut witness = serializer.serialize_struct("Witness", 2)?;
        witness.serialize_field(self.kind.name(), &self.value)?;
        witness.serialize_field("reason", &self.reason)?;
        witness.end()
    }
}
