//! What a dialect cannot express.

use std::fmt;

use crate::Pointer;

/// One thing that a dialect cannot express, and what was done instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    pub(super) pointer: Pointer,
    pub(super) kind: LossKind,
    pub(super) effect: Effect,
    pub(super) lost: String,
    pub(super) instead: String,
}

/// What a loss means for users of the export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The export documents less, and allows the same.
    Documentation,
    /// The export allows less than the contract: some valid calls cannot be made.
    Narrower,
    /// The export allows more than the contract: the model may send what the tool refuses, or
    /// readers of results are promised less.
    Wider,
}

impl Loss {
    /// Where in the contract the loss is.
    #[must_use]
    pub fn pointer(&self) -> &Pointer {
        &self.pointer
    }

    /// The kind of the loss.
    #[must_use]
    pub fn kind(&self) -> LossKind {
        self.kind
    }

    /// What it means for the users of the export.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// A description of what is lost.
    #[must_use]
    pub fn lost(&self) -> &str {
        &self.lost
    }

    /// A description of what was done instead.
    #[must_use]
    pub fn instead(&self) -> &str {
        &self.instead
    }

    /// Whether it changes which calls are valid, rather than results or documentation only.
    #[must_use]
    pub fn changes_calls(&self) -> bool {
        self.effect != Effect::Documentation && !self.is_about_results()
    }

    /// Whether callers should know: it changes which calls are valid, and is not of a kind that
    /// [nearly every tool](LossKind::is_usual) has.
    #[must_use]
    pub fn matters(&self) -> bool {
        self.changes_calls() && !self.kind.is_usual()
    }

    /// Whether it is about what the tool returns.
    #[must_use]
    pub fn is_about_results(&self) -> bool {
        let tokens = self.pointer.tokens();
        matches!(tokens.first(), Some(crate::violation::Token::Key(key)) if &**key == "returns")
    }

    /// A description of the effect.
    #[must_use]
    pub fn consequence(&self) -> &'static str {
        match (self.effect, self.is_about_results()) {
            (Effect::Documentation, _) => "documentation only",
            (Effect::Wider, false) => "the model may send what the tool refuses",
            (Effect::Narrower, false) => "the model cannot send all that the tool takes",
            (Effect::Wider, true) => "readers are promised less than the tool keeps",
            (Effect::Narrower, true) => "readers may refuse what the tool returns",
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lost, instead, .. } = self;
        write!(f, "loss[{}]", self.kind)?;
        if !self.pointer.is_root() {
            write!(f, " at {}", self.pointer.brief())?;
        }
        write!(f, ": {lost}; {instead} ({})", self.consequence())
    }
}

/// Defines the kinds of losses, each with a stable name for scripts.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident = $name:literal,)+) => {
        /// The kind of a loss.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum LossKind {
            $($(#[doc = $doc])+ $kind,)+
        }

        impl LossKind {
            /// All kinds.
            pub const ALL: &'static [LossKind] = &[$(LossKind::$kind,)+];

            /// The stable name of the kind.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(LossKind::$kind => $name,)+
                }
            }

            /// A one-sentence description.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self {
                    $(LossKind::$kind => concat!($($doc,)+).trim_ascii(),)+
                }
            }
        }
    };
}

kinds! {
    /// `allOf` whose parts cannot be merged.
    AllOf = "all-of",
    /// Documentation: a keyword that no value can violate.
    Annotation = "annotation",
    /// An optional key that has to be sent as null instead of left out.
    AbsentAsNull = "absent-as-null",
    /// A value that may be anything.
    AnyValue = "any-value",
    /// An object that allows unnamed keys, and says so or has no others.
    ClosedObject = "closed-object",
    /// `not`, `if` and other conditions.
    Condition = "condition",
    /// A limit, a pattern or another rule for one value.
    Constraint = "constraint",
    /// A description that is missing, not a string, or too long.
    Description = "description",
    /// Side effects: whether the tool changes or destroys something.
    Effects = "effects",
    /// A list of allowed values.
    Enum = "enum",
    /// A key that is not allowed.
    ForbiddenKey = "forbidden-key",
    /// A `format` that the dialect does not support.
    Format = "format",
    /// A key whose name the dialect does not allow.
    KeyName = "key-name",
    /// Rules for unnamed keys.
    Map = "map",
    /// A tool name that not every dialect allows.
    Name = "name",
    /// The value null.
    Null = "null",
    /// Alternatives of which exactly one must match.
    OneOf = "one-of",
    /// A recursive schema.
    Recursion = "recursion",
    /// An object with named keys that does not say whether others are allowed.
    OpenByDefault = "open-by-default",
    /// The return type of the tool.
    Returns = "returns",
    /// A schema that is written differently and means the same.
    Rewritten = "rewritten",
    /// Alternatives at the top level of the arguments.
    RootUnion = "root-union",
    /// How results are shown to a model.
    Text = "text",
    /// The timeout of a call.
    Timeout = "timeout",
    /// An array with a schema for each position.
    Tuple = "tuple",
    /// Alternatives.
    Union = "union",
    /// That unnamed keys are refused.
    UnknownKeys = "unknown-keys",
}

crate::text::display!(LossKind: as_str);

impl LossKind {
    /// Whether nearly every tool has such losses in some dialect, and no caller misses anything:
    /// models send the keys that are named, whatever else is allowed or refused.
    #[must_use]
    pub fn is_usual(self) -> bool {
        matches!(self, LossKind::OpenByDefault | LossKind::UnknownKeys)
    }
}

impl Effect {
    /// Its name: `documentation`, `narrower` or `wider`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Effect::Documentation => "documentation",
            Effect::Narrower => "narrower",
            Effect::Wider => "wider",
        }
    }
}

crate::text::display!(Effect: as_str);
